declare module "virtual:rulebook/*" {
  const book: { html: string; rules: Record<string, string> };
  export default book;
}
