/** Problems of the browser, with a sentence for each. */
export const renderProblems = {
	'no-browser': 'a page shows its content only with JavaScript, and no Chromium was found',
	'render-failed': 'the browser could not render the page; its HTML was parsed as sent',
} as const;
