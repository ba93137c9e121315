import { expect, it } from 'vitest';
import { extract } from '../extract.ts';

const text: Readonly<Record<string, string>> = {
	zh: '码头的修复工作在春天开始，工人们先把旧木板拆下来，再换上新的橡木板，整个过程持续了三个星期。',
	ja: '大根は米のとぎ汁で下ゆですると、味がよくしみて、驚くほどやわらかくなります。',
	ko: '부두 수리는 봄에 시작되었고 일꾼들은 먼저 낡은 널빤지를 뜯어냈다.',
};

it.each([
	['zh', '文/李明 王芳', ['李明', '王芳']],
	['zh', '文／李明　王芳', ['李明', '王芳']],
	['zh-CN', '作者：李明、王芳', ['李明', '王芳']],
	['zh', '作者：李　明', ['李明']],
	['zh', '本报记者 李明 王芳', ['李明', '王芳']],
	['zh', '记者 李明 通讯员 王芳', ['李明', '王芳']],
	['zh', '记者 李明 报道', ['李明']],
	['zh', '记者 李明 王芳 摄影', ['李明', '王芳']],
	['zh', '作者：欧阳锋 王芳 编辑：赵六', ['欧阳锋', '王芳']],
	['zh-Hant', '記者 林小明 陳大文', ['林小明', '陳大文']],
	['zh', '<span class="author">李明 王芳</span>', ['李明', '王芳']],
	['ja', '執筆：山田 太郎', ['山田 太郎']],
	['ja', '文：山田 太郎、鈴木 花子', ['山田 太郎', '鈴木 花子']],
	['ko', '김민준 기자', ['김민준']],
	['zh', '来源：新华社 李明', undefined],
])('AMB-156 authors of a page in %s: %s', (language, byline, authors) => {
	const body = `<p>${text[language.slice(0, 2)]!.repeat(4)}</p>`.repeat(3);
	for (const line of [`<div class="info">2026-05-03 ${byline}</div>`, `<p>${byline}</p>`]) {
		const html = `<html lang="${language}"><title>旧码头</title><body><div><h1>旧码头</h1>${line}<div>${body}</div></div>`;
		expect(extract(html, 'https://news.test/a.html').page.author).toEqual(authors);
	}
});
