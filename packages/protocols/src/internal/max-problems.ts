/** The most problems listed for one text: people do not read longer lists. The rest is counted. */
export const maxProblems = 1000;
