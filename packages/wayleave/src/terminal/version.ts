/** The version of the whole toolkit: all packages are released together. A test compares it with package.json. */
export const version = '0.1.0';
