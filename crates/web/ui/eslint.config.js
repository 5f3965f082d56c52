import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import typescript from "typescript-eslint";

export default [
  { ignores: ["node_modules/", "dist/", "src/lib/types.ts", "src/lib/samples.ts"] },
  js.configs.recommended,
  ...typescript.configs.recommended,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  { files: ["**/*.svelte", "**/*.svelte.ts"], languageOptions: { parserOptions: { parser: typescript.parser } } },
  {
    rules: {
      // The compiler says it, and knows better.
      "no-undef": "off",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      // Maps and sets here are made anew, not changed.
      "svelte/prefer-svelte-reactivity": "off",
      // A blank at the end of a line has to be written somehow.
      "svelte/no-useless-mustaches": "off",
      // Links within the page begin with a hash.
      "svelte/no-navigation-without-resolve": "off",
    },
  },
];
