import { publicResolvers } from '@wayleave/service/defaults';
import { scopeNames, usualScopes } from '@wayleave/service/keys';
import { expect, it } from 'vitest';
import * as shown from './defaults.ts';

it('help shows the defaults of the service', () => {
	expect(shown.publicResolvers).toEqual(publicResolvers);
	expect(shown.scopeNames).toEqual(scopeNames);
	expect(shown.usualScopes).toEqual(usualScopes);
});
