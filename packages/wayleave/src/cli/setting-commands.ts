import { defaultPolicyFile } from '../shared/options/defaults.ts';

/** Name of the user's settings file in `userFolder`. */
export const userSettingsFile = 'config.yaml';

/** Commands that fetch pages for their content; for the others `--use`, `--category` and the like mean something else. */
export const fetchers: ReadonlySet<string> = new Set(['crawl', 'fetch', 'som', 'mcp', 'serve']);
export const clients: ReadonlySet<string> = new Set([...fetchers, 'check', 'check-live', 'lint', 'verify']);
export const storeUsers: ReadonlySet<string> = new Set(['crawl', 'fetch', 'mcp', 'serve', 'verify', 'store', 'keys']);

/** Commands whose options are the keys of the section: the others have a part of them. */
export const settingCommands = ['crawl', 'fetch', 'som'] as const;

/** Whether a command takes settings at all: the first word of its path. */
export const takesSettings = (path: string): boolean => clients.has(word(path)) || storeUsers.has(word(path));

/** Its first word: `store` of `store export`. */
export const word = (path: string): string => path.split(' ', 1)[0] ?? '';

/** Help text about settings. */
export const settingsHelp = `Options can also be set by variables (WAYLEAVE_BOT_URL for --bot-url), and in the section "crawl:" of
${defaultPolicyFile} in this folder or of ~/.config/wayleave/${userSettingsFile}. A flag overrides a
variable, a variable overrides the file of this folder, and that overrides the file of the user.`;
