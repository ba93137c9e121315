/** How many problems of one text are listed: with more of them, none is read. The rest is counted. */
export const maxProblems = 1000;
