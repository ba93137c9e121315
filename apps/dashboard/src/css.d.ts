/** esbuild collects the style sheets that a page imports into a file beside its script. */
declare module '*.css';
