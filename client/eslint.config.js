import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import { defineConfig, globalIgnores } from "eslint/config";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default defineConfig(
  globalIgnores(["src/wire/messages.ts", "src/words/keys.ts"]), // generated
  { linterOptions: { reportUnusedDisableDirectives: "error", reportUnusedInlineConfigs: "error" } },
  js.configs.recommended,
  ts.configs.strictTypeChecked,
  svelte.configs.recommended,
  {
    languageOptions: { parserOptions: { projectService: true, extraFileExtensions: [".svelte"] } },
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }], // the wire leaves out what it might say as null
      "no-undef": "off", // the compiler knows what is there
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-meaningless-void-operator": "off", // in effects it names what they depend on
      "@typescript-eslint/no-non-null-assertion": "off", // with noUncheckedIndexedAccess it says that a place is there
      "@typescript-eslint/no-unsafe-enum-assignment": "off", // there are no enums, and it takes longer than all others
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_+$", varsIgnorePattern: "^_+$" }],
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true, allowNullish: true },
      ],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/unbound-method": "off", // methods of interfaces are plain functions here
      "svelte/no-unused-svelte-ignore": "off", // it takes no reasons after the names; the compiler reports the same
      "svelte/prefer-svelte-reactivity": "off", // sets and maps are replaced, or nobody watches them
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    // Here the types of other components are unknown; svelte-check knows and checks them.
    files: ["**/*.svelte"],
    rules: {
      "@typescript-eslint/no-redundant-type-constituents": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  {
    files: ["**/*.test.ts"],
    rules: {
      "@typescript-eslint/no-unnecessary-condition": "off", // the browser of the tests lacks what any other has
      "@typescript-eslint/no-unnecessary-type-assertion": "off", // the types of components are unknown here as well
      "@typescript-eslint/require-await": "off", // what stands in for the network is as late as the network
    },
  },
  { files: ["**/*.js"], extends: [ts.configs.disableTypeChecked] }, // scripts without types
);
