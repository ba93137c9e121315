// The part of `node:module` that the package uses where it runs in Node.
export declare function createRequire(url: string): (name: string) => unknown;
