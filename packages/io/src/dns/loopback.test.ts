import { expect, it } from 'vitest';
import { isLoopbackName } from './loopback.ts';

it.each([
	['localhost', true],
	['docs.localhost', true],
	['127.0.0.1', true],
	['127.8.9.10', true],
	['[::1]', true],
	['127.example.com', false],
	['127.0.0.1.example.com', false],
	['localhost.example.com', false],
	['notlocalhost', false],
])('%s means this machine: %s', (name, expected) => {
	expect(isLoopbackName(name)).toBe(expected);
});
