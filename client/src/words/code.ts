/** A table's code as one reads it out or types it: four letters at a time. Links have it plain. */
export const spelled = (code: string): string => (code.match(/.{1,4}/gu) ?? []).join("-");
