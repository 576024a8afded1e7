/** The rules of the games, as many as docs/rules has: `import books from "virtual:rulebooks"`; each is fetched by itself. */

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Marked } from "marked";
import type { Plugin } from "vite";

const SHELF = "virtual:rulebooks";
const PREFIX = "virtual:rulebook/";
const LANGUAGES = ["de", "en", "ja"];
const DOCS = fileURLToPath(new URL("../../docs/rules/", import.meta.url));
const RULE = /^<p>?\s*<strong>([A-Z]\d+)<\/strong>|^<strong>([A-Z]\d+)<\/strong>/;

/** What stands in brackets and slanted marks where something comes from; these words are the same on all pages. */
const RULING = /^(ruling|Auslegung|裁定)$/;
const RECONSTRUCTED = /^(reconstructed|rekonstruiert|推定)$/;

function mark(text: string): string {
  const kind = RULING.test(text) ? "" : RECONSTRUCTED.test(text) ? " reconstructed" : " attested";
  return `<em class="ruling${kind}">${text}</em>`;
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A paragraph that begins with a name, and not with the number of a rule. */
const EXAMPLE = /^<strong>(?![A-Z]\d+<)/;

/** Links out of the rules lead to other docs, which the page does not have. */
function unlinked(html: string): string {
  return html.replace(/<a href="(?!#)[^"]*">(.*?)<\/a>/g, "$1");
}

function html(markdown: string): string {
  const slugs = new Map<string, number>();
  let examples = 0;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens);
        const slug = text
          .toLowerCase()
          .replace(/[^\p{L}\p{N} -]/gu, "")
          .replaceAll(" ", "-");
        const seen = slugs.get(slug) ?? 0;
        slugs.set(slug, seen + 1);
        return `<h${depth} id="${seen ? `${slug}-${seen}` : slug}">${text}</h${depth}>\n`;
      },
      // Examples begin with their name; they are numbered alike in all languages.
      paragraph({ tokens }) {
        const text = this.parser.parseInline(tokens);
        return EXAMPLE.test(text) ? `<p id="example-${++examples}">${text}</p>\n` : `<p>${text}</p>\n`;
      },
      listitem({ tokens }) {
        const body = this.parser.parse(tokens);
        const rule = RULE.exec(body);
        const id = rule?.[1] ?? rule?.[2];
        return id ? `<li id="${id}">${body}</li>\n` : `<li>${body}</li>\n`;
      },
      em({ tokens }) {
        const text = this.parser.parseInline(tokens);
        return /^\(.*\)$/.test(text) ? mark(text.slice(1, -1)) : `<em>${text}</em>`;
      },
      // Long lines scroll by themselves, also by keyboard.
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
      table(token) {
        // A column that tells of some rows that they are reconstructed tells of all of them where they come from.
        const sources = token.header.map((_, i) => token.rows.some((row) => RECONSTRUCTED.test(row[i]!.text)));
        const cell = (tag: string, cells: typeof token.header) => {
          const texts = cells.map((one, i) => {
            const text = this.parser.parseInline(one.tokens);
            return tag === "td" && sources[i] ? mark(text) : text;
          });
          return `<tr>${texts.map((text) => `<${tag}>${text}</${tag}>`).join("")}</tr>`;
        };
        const rows = token.rows.map((row) => cell("td", row)).join("");
        // A table may be wider than a phone: it scrolls by itself, also by keyboard.
        return `<div class="wide" tabindex="0"><table><thead>${cell("th", token.header)}</thead><tbody>${rows}</tbody></table></div>`;
      },
    },
  });
  return unlinked(marked.parse(markdown, { async: false }));
}

/** The whole text, and each rule by its id. */
function book(path: string): { html: string; rules: Record<string, string> } {
  const whole = html(readFileSync(path, "utf8"));
  const rules: Record<string, string> = {};
  for (const [, id, body] of whole.matchAll(/<li id="([A-Z]\d+)">([\s\S]*?)<\/li>/g)) rules[id!] = body!;
  return { html: whole, rules };
}

/** How to fetch each rulebook in each language. */
function shelf(): string {
  const games = readdirSync(DOCS).flatMap((name) => (name.endsWith(".md") ? [name.slice(0, -3)] : []));
  const fetched = (game: string) =>
    LANGUAGES.map((language) => `${language}: () => import("${PREFIX}${language}/${game}")`).join(", ");
  return `export default { ${games.map((game) => `${game}: { ${fetched(game)} }`).join(", ")} };`;
}

/** The English text is the original and stands in docs/rules itself, translations in folders beside it. */
export function rulebook(): Plugin {
  return {
    name: "rulebook",
    resolveId: (id) => (id === SHELF || id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${SHELF}`) return shelf();
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const [language, game] = id.slice(PREFIX.length + 1).split("/");
      const path = `${DOCS}${language === "en" ? "" : `${language}/`}${game}.md`;
      this.addWatchFile(path);
      return `export default ${JSON.stringify(book(path))};`;
    },
  };
}
