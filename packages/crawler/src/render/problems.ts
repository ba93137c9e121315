/** What can be odd about a browser, with the sentence for each. */
export const renderProblems = {
	'no-browser': 'no Chromium was found, and a page shows its content only by scripts',
	'render-failed': 'a browser could not show the page, and it was read as it was sent',
} as const;
