import { createRequire } from 'node:module';

type Detector = Pick<typeof import('tinyld'), 'detectAll'>;

/** ES modules of Node have none. A bundler includes what it names, and evaluates it at the first call. */
declare const require: ((name: 'tinyld') => Detector) | undefined;
/** A thread that starts from a text has one for all modules: it looks where the process works, not beside this file. */
const ofThread: unknown = Reflect.get(globalThis, 'require');

let detector: Detector | undefined;

/** `detectAll` of tinyld, which loads at the first call: its tables take longer than a page, and few pages need them. */
export const detectAll: Detector['detectAll'] = (text) => {
	detector ??=
		typeof require === 'function' && require !== ofThread
			? require('tinyld')
			: (createRequire(import.meta.url)('tinyld') as Detector);
	return detector.detectAll(text);
};
