import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { Service } from '../server/build-service.ts';

interface MediaType {
	readonly schema?: Record<string, unknown>;
}
interface Described {
	readonly content?: Record<string, MediaType>;
}
interface Operation {
	readonly responses: Record<string, Described>;
}

/** Compares answers with the description: the operation is there, and has this status, this type, this shape. */
export function responseChecker(description: Service['description']) {
	const ajv = new Ajv2020({ strict: false, validateFormats: false });
	ajv.addSchema({ $id: 'https://service.test/', components: description.components });
	const compiled = new Map<object, ValidateFunction>();
	const paths = Object.entries(description.paths ?? {}) as [string, Record<string, Operation>][];

	return async function check(method: string, path: string, response: Response): Promise<void> {
		const operation = find(method, path.split('?', 1)[0]!);
		// What has no description is no part of the interface: then it is a problem that says so.
		if (operation === undefined) {
			if (path.startsWith('/openapi.json')) return;
			expect([404, 405, 429]).toContain(response.status);
			return;
		}
		const { status } = response;
		const described = operation.responses[status] ?? operation.responses.default!;
		const [type = ''] = (response.headers.get('content-type') ?? '').split(/\s*;/, 1);
		if (described.content === undefined) {
			expect(await response.text()).toBe('');
			return;
		}
		expect(Object.keys(described.content), `${method} ${path} ${status}`).toContain(type);
		const { schema } = described.content[type]!;
		if (schema === undefined || !type.endsWith('json')) return;
		const text = await response.text();
		const values = type === 'application/x-ndjson' ? text.trimEnd().split('\n') : [text];
		for (const value of values) validate(schema, JSON.parse(value), `${method} ${path} ${status}`);
	};

	function find(method: string, path: string): Operation | undefined {
		const known = paths.find(([pattern]) => new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path));
		return known?.[1][method.toLowerCase()];
	}

	function validate(schema: Record<string, unknown>, value: unknown, where: string): void {
		const isValid = compiled.get(schema) ?? ajv.compile(withReferences(schema));
		compiled.set(schema, isValid);
		expect(isValid(value) ? [] : isValid.errors, where).toEqual([]);
	}
}

const withReferences = (schema: object) =>
	JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"https://service.test/#/components'));
