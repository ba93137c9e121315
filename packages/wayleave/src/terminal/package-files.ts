import { fileURLToPath } from 'node:url';

/** The path of a file or folder that is packed with the program, such as `site`. */
export const packageFile = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));
