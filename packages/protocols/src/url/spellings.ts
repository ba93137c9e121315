/** One way to write a path. */
export interface Spelling {
	/** Kind of the change, for tables and reports: `encoded slash`. */
	readonly kind: string;
	/** Path and query as they go on the wire. It may hold what no URL parser lets through. */
	readonly target: string;
}

/**
 * Ways to write a path that some server reads as the path itself: for tests of a site's own, and for `check-live`.
 * The first of each kind is the plainest.
 *
 * @param path begins with `/`, and has no query: `/private/x.html`.
 */
export function spellingsOf(path: string): readonly Spelling[] {
	const found = new Map<string, string>();
	const add = (kind: string, ...targets: string[]) => {
		for (const target of targets) if (target !== path && !found.has(target)) found.set(target, kind);
	};
	const segments = path.split('/').slice(1);
	const [first = '', ...others] = segments;
	const rest = others.map((segment) => `/${segment}`).join('');
	const last = segments.at(-1) ?? '';
	const folder = path.slice(0, path.length - last.length);
	const bare = path.slice(1);

	add(
		'encoded letter',
		`/${escaped(first)}${rest}`,
		`/${escaped(first).toLowerCase()}${rest}`,
		`/${all(first)}${rest}`,
	);
	add('encoded letter', `${folder}${escaped(last)}`, `/${segments.map(all).join('/')}`, path.replaceAll('.', '%2E'));
	add('double slash', `/${path}`, `//${path}`, `///${path}`, `////////${bare}`, `/${first}/${rest}`);
	add('encoded slash', `/%2F${bare}`, `/%2f${bare}`, `/%2F%2F${bare}`, `//%2F/${bare}`, `/${first}%2F${rest.slice(1)}`);
	add('encoded slash', `/${first}%2f${rest.slice(1)}`, `/${first}/%2F${rest.slice(1)}`, `%2F${bare}`);
	for (const dot of ['.', '%2e', '%2E']) {
		add('dot segment', `/${dot}${path}`, `/${dot}/${dot}${path}`, `/${first}/${dot}${rest}`, `/x/${dot}${dot}${path}`);
		add('dot segment', `/x/y/${dot}${dot}/${dot}${dot}${path}`, `/${dot}${dot}${path}`, `//${dot}${dot}/${dot}${path}`);
		add(
			'dot segment',
			`/public/${dot}${dot}%2f${bare}`,
			`/public%2F${dot}${dot}%2F${bare}`,
			`/public/${dot}${dot};${path}`,
		);
		add(
			'dot segment',
			`/public/${dot}${dot}\\${bare}`,
			`/public/${dot}${dot}%5c${bare}`,
			`/public/${dot}${dot};x=1${path}`,
		);
	}
	add('dot segment', `/.%2e${path}`, `/%2e.${path}`, `/x/.%2e${path}`, `/x/%2e.${path}`, `/x/..%00${path}`);
	add('dot segment', `/.;${path}`, `/x/..;/..;${path}`, `/x/..%3b${path}`, `/x/..%20${path}`, `/x/.. ${path}`);
	add('backslash', `/\\${bare}`, `\\${bare}`, `/\\/${bare}`, `\\\\${bare}`, `/${first}\\${rest.slice(1)}`);
	add('encoded backslash', `/%5C${bare}`, `/%5c${bare}`, `/%5C/${bare}`, `/${first}%5C${rest.slice(1)}`, `%5C${bare}`);
	for (const parameter of [';', ';x', ';x=1', ';jsessionid=1', ';a=b;c=d', ';.css', '%3Bx', '%3bx=1', ';%2F', ';/']) {
		add('path parameter', `/${parameter}${path}`, `/${first}${parameter}${rest}`, `${path}${parameter}`);
	}
	add('path parameter', `/;x/;y${path}`, `/;/;${path}`, `;x${path}`, `/x;/..${path}`, `/${first};a/;b${rest}`);
	for (const code of ['00', '01', '08', '09', '0A', '0D', '0d%0a', '1F', '7F', '85', 'A0']) {
		add('control character', `${path}%${code}`, `/%${code}${path}`, `/${first}%${code}${rest}`, `/%${code}${bare}`);
	}
	add(
		'control character',
		`${path}%00.html`,
		`${path}%00.png`,
		`/\t${bare}`,
		`/${first}\t${rest}`,
		`/\n${bare}`,
		`/\r\n${bare}`,
	);
	add('control character', `/\0${bare}`, `/\v${bare}`, `/\f${bare}`, `${path}\0`);
	add(
		'space',
		` ${path}`,
		`/%20${bare}`,
		`/%20${path}`,
		`${path}%20`,
		`${path}%20%20`,
		`/${first}%20${rest}`,
		`${path}+`,
	);
	add(
		'trailing dot',
		`${path}.`,
		`${path}...`,
		`/${first}.${rest}`,
		`/${first}...${rest}`,
		`/${first}%2E${rest}`,
		`${path}%2e`,
	);
	add('trailing dot', `${path}.%20`, `${path}%20.`, `/${first}.%20.${rest}`);
	add('stream', `${path}::$DATA`, `${path}:$DATA`, `${path}%3A%3A%24DATA`, `/${first}:$I30:$INDEX_ALLOCATION${rest}`);
	add('trailing slash', `${path}/`, `${path}//`, `${path}/.`, `${path}%2F`, `${path}/%20`, `/${first}/${rest}/`);
	add('letter case', path.toUpperCase(), `/${capital(first)}${rest}`, `${folder}${last.toUpperCase()}`);
	add('letter case', `/${first.toUpperCase()}${rest}`, alternating(path), `/${all(first.toUpperCase())}${rest}`);
	add(
		'encoded twice',
		`/${escaped(first).replace('%', '%25')}${rest}`,
		`/%252F${bare}`,
		`/%252f${bare}`,
		`/${first}%252F${rest.slice(1)}`,
	);
	add(
		'encoded twice',
		`/x/%252e%252e${path}`,
		`/x/..%252f${bare}`,
		`/%255C${bare}`,
		`/${all(first).replaceAll('%', '%25')}${rest}`,
	);
	add('encoded twice', `/%25%32%46${bare}`, `/%25%37%30${bare.slice(1)}`, `/%%32%46${bare}`);
	for (const slash of [
		'%C0%AF',
		'%E0%80%AF',
		'%F0%80%80%AF',
		'%C0%2F',
		'%C1%9C',
		'%E0%81%9C',
		'%EF%BC%8F',
		'%E2%88%95',
		'%E2%81%84',
		'%EF%BC%BC',
	]) {
		add('overlong or foreign slash', `/${slash}${bare}`, `/${first}${slash}${rest.slice(1)}`);
	}
	for (const dot of ['%C0%AE', '%E0%80%AE', '%EF%BC%8E', '%E2%80%A4', '%C0%2E', '%E3%80%82']) {
		add('overlong or foreign dot', `/x/${dot}${dot}${path}`, `/${dot}${path}`, path.replaceAll('.', dot));
	}
	add('overlong or foreign letter', `/${overlong(first)}${rest}`, `/${wide(first)}${rest}`, `${folder}${wide(last)}`);
	for (const code of ['%FF', '%80', '%C3', '%ED%A0%80', '%F5%80%80%80', '%FE', '%E2%82']) {
		add(
			'invalid UTF-8',
			`/${first}${code}${rest}`,
			`${path}${code}`,
			`/${code}${path}`,
			`/${first.slice(0, 1)}${code}${first.slice(1)}${rest}`,
		);
	}
	for (const code of ['%E2%80%8B', '%E2%80%8D', '%EF%BB%BF', '%C2%AD', '%E2%80%AE', '%CD%8F']) {
		add(
			'invisible character',
			`/${first.slice(0, 1)}${code}${first.slice(1)}${rest}`,
			`${path}${code}`,
			`/${code}${bare}`,
		);
	}
	add(
		'broken escape',
		`/%${bare}`,
		`/%zz${path}`,
		`${path}%`,
		`${path}%2`,
		`/%u00${hex(first)}${first.slice(1)}${rest}`,
	);
	add('broken escape', `/%u002f${bare}`, `/%u2215${bare}`, `/x/%u002e%u002e${path}`, `/%uff0f${bare}`, `/%g0${bare}`);
	add(
		'delimiter',
		`${path}%3F`,
		`${path}%3Fx=1`,
		`${path}%23`,
		`${path}%23x`,
		`${path}#`,
		`${path}#/../open`,
		`/#/..${path}`,
	);
	add('delimiter', `${path}?`, `${path}?x=/open`, `/?/..${path}`, `${path}??`, `${path}%26x`, `/open%3F/..${path}`);
	add(
		'absolute form',
		`http://other.example${path}`,
		`http:${path}`,
		`http:/${path}`,
		`HTTP://user@other.example${path}`,
	);
	add('absolute form', `//other.example${path}`, `/http://other.example${path}`, `/http:${path}`, `https:${bare}`);
	return [...found].map(([target, kind]) => ({ kind, target }));
}

const hex = (text: string) => (text.charCodeAt(0) || 0).toString(16).toUpperCase().padStart(2, '0');

/** The first letter escaped. */
function escaped(text: string): string {
	return text === '' ? '' : `%${hex(text)}${text.slice(1)}`;
}

/** Every character escaped. */
function all(text: string): string {
	return [...text].map((character) => (character.charCodeAt(0) < 0x80 ? `%${hex(character)}` : character)).join('');
}

function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

function alternating(text: string): string {
	return [...text].map((character, at) => (at % 2 === 0 ? character.toUpperCase() : character)).join('');
}

/** The first letter in two octets, where one is right (RFC 3629 §10). */
function overlong(text: string): string {
	const code = text.charCodeAt(0) || 0;
	return `%C${code >> 6}%${(0x80 | (code & 0x3f)).toString(16).toUpperCase()}${text.slice(1)}`;
}

/** The first letter in full width. */
function wide(text: string): string {
	return encodeURIComponent(String.fromCharCode((text.charCodeAt(0) || 0x21) + 0xfee0)) + text.slice(1);
}
