import { describe, expect, it } from 'vitest';
import { decodeHtml } from './index.ts';
import { encode } from './testing/encode.ts';

const latin = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const join = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

const russian = 'Привет, это обычная страница о городе и его жителях, которые любят читать книги.';
const japanese = 'これは日本語のページです。検索と表示のための情報があります。カタカナも使います。';
const chinese = '这是一个关于中国城市和人们生活的网页，我们在这里说明所有的事情。';
const traditional = '這是一個關於中國城市和人們生活的網頁，我們在這裡說明所有的事情。';
const korean = '이것은 한국어로 작성된 웹 페이지입니다. 우리는 여기에서 모든 것을 설명합니다.';

describe('declared encodings', () => {
	it('CB-50 a byte order mark decides and does not stay in the text', () => {
		expect(decodeHtml(utf8('\ufeff<p>é'))).toEqual({ text: '<p>é', encoding: 'utf-8', source: 'bom' });
	});
	it('CB-51 a byte order mark wins over the header', () => {
		expect(decodeHtml(utf8('\ufeff<p>é'), 'text/html; charset=windows-1251')).toMatchObject({
			text: '<p>é',
			source: 'bom',
		});
	});
	it('UTF-16 by its mark', () => {
		expect(decodeHtml(latin('\xff\xfe<\0p\0>\0'))).toEqual({ text: '<p>', encoding: 'utf-16le', source: 'bom' });
		expect(decodeHtml(latin('\xfe\xff\0<\0p\0>')).text).toBe('<p>');
	});
	it('CB-52 a header that does not fit gives way to a meta that does', () => {
		const bytes = join(latin('<meta charset=windows-1251><title>'), encode('windows-1251', russian));
		expect(decodeHtml(bytes, 'text/html; charset=utf-8')).toEqual({
			text: `<meta charset=windows-1251><title>${russian}`,
			encoding: 'windows-1251',
			source: 'meta',
			conflict: 'utf-8',
		});
	});
	it('the header wins while it fits, and the conflict is told', () => {
		const decoded = decodeHtml(utf8('<meta charset=shift_jis>é'), 'text/html; charset="UTF-8"');
		expect(decoded).toMatchObject({ encoding: 'utf-8', source: 'header', conflict: 'shift_jis' });
		expect(decoded.text).toContain('é');
	});
	it('CB-53 a misspelt meta counts when nothing else is declared', () => {
		const bytes = join(
			latin('<meta httpequiv=ContentType content="text/html; charset=gbk"><p>'),
			encode('gb18030', chinese),
		);
		expect(decodeHtml(bytes)).toMatchObject({ encoding: 'gbk', source: 'meta' });
		expect(decodeHtml(bytes).text).toContain(chinese);
	});
	it('XB-56 content="charset=gbk" without a MIME type', () => {
		const bytes = join(latin('<meta http-equiv="Content-Type" content="charset=gbk"><p>'), latin('\xbc\xd2\xbe\xd3'));
		expect(decodeHtml(bytes).text).toContain('家居');
	});
	it('CB-55 meta http-equiv without a header charset', () => {
		const bytes = join(
			latin("<META content='text/html; charset=windows-1251' HTTP-EQUIV=content-type><title>"),
			encode('windows-1251', 'Привет'),
		);
		expect(decodeHtml(bytes, 'text/html')).toMatchObject({ encoding: 'windows-1251', source: 'meta' });
		expect(decodeHtml(bytes, 'text/html').text).toContain('Привет');
	});
	it('CB-56 a misspelt label is passed over for the next source', () => {
		const bytes = join(latin('<meta charset=koi8-r><p>'), encode('koi8-r', 'мир'));
		expect(decodeHtml(bytes, 'text/html; charset=utf8mb4-bogus')).toMatchObject({ encoding: 'koi8-r', source: 'meta' });
		expect(decodeHtml(utf8('é'), 'text/html; charset=utf8mb4-bogus')).toMatchObject({
			text: 'é',
			source: 'valid-utf-8',
		});
	});
	it('CB-59 gb2312 means gbk, whose larger table is used', () => {
		expect(decodeHtml(latin('<meta charset=gb2312>\x81\x40')).text).toContain('丂');
	});
	it('XB-60 Latin-1 in the header with Shift_JIS in meta and bytes', () => {
		const bytes = join(
			latin('<meta http-equiv=content-type content="text/html; charset=Shift_JIS">'),
			latin('\x93\xfa\x96\x7b'),
		);
		const decoded = decodeHtml(bytes, 'text/html; charset=ISO-8859-1');
		expect(decoded.text).toContain('日本');
		expect(decoded).toMatchObject({ encoding: 'shift_jis', source: 'meta', conflict: 'windows-1252' });
	});
	it('windows-1252 gives quotes and dashes, under the name of Latin-1 too', () => {
		expect(decodeHtml(latin('\x93a\x94 \x96 \x80'), 'text/html; charset=iso-8859-1').text).toBe('“a” – €');
	});
	it('declarations in comments, scripts and attributes of other tags are not declarations', () => {
		const page = '<!-- <meta charset=koi8-r> --><p title="<meta charset=koi8-r>"><!doctype "<meta charset=koi8-r>">é';
		expect(decodeHtml(utf8(page)).encoding).toBe('utf-8');
	});
	it('utf-16 in a meta is utf-8, x-user-defined is windows-1252, replacement is nothing', () => {
		expect(decodeHtml(latin('<meta charset=utf-16>')).encoding).toBe('utf-8');
		expect(decodeHtml(latin('<meta charset=x-user-defined>')).encoding).toBe('windows-1252');
		expect(decodeHtml(latin('<meta charset=iso-2022-kr>\xe9')).encoding).toBe('windows-1252');
	});
});

describe('nothing declared', () => {
	it('XB-57 valid UTF-8 is UTF-8, also when the meta stands late', () => {
		const page = `${' '.repeat(1100)}<meta charset="utf-8"><p>é`;
		expect(decodeHtml(utf8(page))).toMatchObject({ source: 'valid-utf-8', encoding: 'utf-8' });
	});
	it('a late declaration counts before guessing', () => {
		const bytes = join(latin(`${' '.repeat(1100)}<meta charset="windows-1250"><p>`), latin('\xb9'));
		expect(decodeHtml(bytes)).toMatchObject({ source: 'meta', encoding: 'windows-1250' });
	});
	it('XML declares in its own way', () => {
		const bytes = join(latin('<?xml version="1.0" encoding="koi8-r"?><html>'), encode('koi8-r', 'мир'));
		expect(decodeHtml(bytes).text).toContain('мир');
	});
	it.each([
		['shift_jis', japanese],
		['euc-jp', japanese],
		['gb18030', chinese],
		['big5', traditional],
		['euc-kr', korean],
		['windows-1251', russian],
		['koi8-r', russian],
		['windows-1250', 'Příliš žluťoučký kůň úpěl ďábelské ódy. Zażółć gęślą jaźń, proszę państwa.'],
		['windows-1254', 'Bugün güneşli bir gün; çocuklar ağaçların altında oynuyor, ışık çok güzel.'],
		['windows-1253', 'Αυτή είναι μια ελληνική σελίδα με πολλές λέξεις και προτάσεις.'],
		['windows-1255', 'זהו דף אינטרנט בעברית עם הרבה מילים ומשפטים'],
		['windows-1256', 'هذه صفحة عربية فيها كلمات كثيرة وجمل طويلة'],
		['windows-874', 'นี่คือหน้าเว็บภาษาไทยที่มีคำมากมาย'],
		['windows-1252', 'C’est l’été à la forêt : où êtes-vous, garçon ? Größe, Straße, señor.'],
	])('CB-54 CB-57 CB-58 %s is recognised', (encoding, text) => {
		const decoded = decodeHtml(join(latin('<html><p>'), encode(encoding, text)));
		expect(decoded).toMatchObject({ encoding, source: 'detected' });
		expect(decoded.text).toContain(text);
	});
	it('ISO-2022-JP is seen by its escapes', () => {
		expect(decodeHtml(latin('<p>\x1b$BF|K\\\x1b(B')).text).toContain('日本');
	});
	it('falls back to windows-1252', () => {
		expect(decodeHtml(latin('\x81\xff\x00\xd7'))).toMatchObject({ encoding: 'windows-1252', source: 'default' });
	});
	it('the empty page', () => {
		expect(decodeHtml(new Uint8Array())).toMatchObject({ text: '', encoding: 'utf-8' });
	});
});
