export const rfc3339 = (time: number): string => new Date(Math.min(time, lastDate)).toISOString();

/** The last moment that has a date; a pause can be longer. */
const lastDate = 8.64e15;

export const time = (value: number): string => rfc3339(Number(value));
