export { type ApiKey, KeyStore, type NewKey } from './key-store.ts';
export { isScope, type Scope, scopeNames, usualScopes } from './scopes.ts';
