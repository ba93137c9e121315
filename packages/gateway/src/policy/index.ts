// Policy files and what they publish, without anything that serves or stores.
export { ConfigError, type ConfigProblem, checkConfig, loadConfig, parseConfig } from '../config/load.ts';
export type { Config } from '../config/schema.ts';
export { checkRobotsNames } from '../terms/check-names.ts';
export { type Terms, termsOf } from '../terms/terms.ts';
