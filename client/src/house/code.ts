/** A table's code as one reads it out: in its syllables. */
export const syllables = (code: string): string[] => code.match(/.{1,2}/gu) ?? [];

export const spelled = (code: string): string => syllables(code).join("·");
