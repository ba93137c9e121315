import type { Answers } from './answers.ts';

export type InitFlags = { readonly [Name in keyof Answers]?: string } & {
	yes?: boolean;
	force?: boolean;
	out: string;
	json?: boolean;
};
