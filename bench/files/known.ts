import { Random } from './random.ts';

export type Piece =
	| { readonly text: string; readonly mark?: 'strong' | 'em' | 'code'; readonly url?: string }
	| { readonly note: number };

export type KnownBlock =
	| { readonly kind: 'heading'; readonly level: number; readonly text: string }
	| { readonly kind: 'paragraph'; readonly content: readonly Piece[] }
	| { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly KnownItem[] }
	| { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }
	| { readonly kind: 'code'; readonly text: string }
	| { readonly kind: 'image'; readonly alt: string }
	| { readonly kind: 'quote'; readonly content: readonly Piece[] };

export interface KnownItem {
	readonly content: readonly Piece[];
	readonly inner: readonly string[];
}

/**
 * The rules of `@wayleave/files` are chosen on `choosing`, and since they were reported, on `former`, `third` and `fourth`;
 * `reporting` is reported and read only for that.
 */
export type KnownSet = 'choosing' | 'former' | 'third' | 'fourth' | 'reporting';

export interface Known {
	readonly set: KnownSet;
	readonly seed: number;
	readonly kind: KnownKind;
	readonly language: 'en' | 'de' | 'fr' | 'it' | 'zh' | 'ja' | 'ko' | 'ar' | 'he';
	readonly title: string;
	readonly author: string;
	readonly blocks: readonly KnownBlock[];
	readonly notes: readonly string[];
}

export const knownKinds = [
	'hyphens',
	'columns',
	'tables',
	'code',
	'cjk',
	'rtl',
	'footnotes',
	'long',
	'lists',
	'mixed',
] as const;

export type KnownKind = (typeof knownKinds)[number];

const onsets = 'b c d f g l m n p r s t v st tr pl qu sh fl gr'.split(' ');
const nuclei = ['a', 'e', 'i', 'o', 'u', 'ea', 'ou', 'ia', 'io'];
const codas = ['', '', '', 'n', 'r', 's', 't', 'l', 'nd', 'st', 'ffi', 'fl', 'm'];
const cjk = [
	...'的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石若兵弟谁校读志飞观争究包组造落视济喜离虽坏兴',
];
const arabic =
	'من كتاب مدينة طريق سلام بيت شمس قمر نهر جبل بحر مدرسة عمل يوم ليلة صباح حديقة شجرة ورد طعام ماء سوق شارع رجل امرأة ولد بنت صديق لغة كلمة درس سؤال جواب خبر زمن حياة قلب عين يد باب نافذة غرفة كرسي قلم ورقة صورة لون صوت ضوء نار'.split(
		' ',
	);
const hebrew =
	'ספר עיר דרך שלום בית שמש ירח נהר הר ים עבודה יום לילה בוקר גן עץ פרח אוכל מים שוק רחוב איש אישה ילד ילדה חבר שפה מילה שיעור שאלה תשובה חדשות זמן חיים לב עין יד דלת חלון חדר כיסא עט נייר תמונה צבע קול אור אש'.split(
		' ',
	);

const korean =
	'나라 사람 시간 오늘 아침 저녁 학교 도시 바다 산길 강물 마음 생각 이야기 노래 그림 사진 편지 친구 가족 음식 나무 하늘 구름 바람 여름 겨울 가을 책상 창문 거리 시장 병원 의사 선생님 학생 문제 대답 역사 문화 과학 기술 경제 사회 정치 세계 언어 단어 문장 지도 여행 자동차'.split(
		' ',
	);

/** Parts of words, and words, of which the sets before have none. */
const fresh = {
	onsets: 'w y z v k j h ch wh br cr dr sp sw sc gl cl pr'.split(' '),
	nuclei: ['a', 'e', 'i', 'o', 'u', 'ee', 'oa', 'ay', 'ue', 'y'],
	codas: ['', '', '', 'ck', 'ng', 'p', 'd', 'x', 'rt', 'sk', 'lm', 'ff', 'tch'],
	french: ['', '', 'é', 'è', 'ê', 'ç', 'ï', 'û', 'ô', 'ñ', 'œ'],
	cjk: [
		...'春夏秋冬晨午夜雨雪霜露雾冰江河湖泊溪泉岛岸港湾桥塔楼阁亭园林竹松梅兰菊荷桃柳杏茶酒米麦豆瓜果鱼虾蟹鸟雀燕鹰虎豹熊鹿羊猪狗猫牛玉珠银铜铁钢煤油盐糖纸墨笔砚琴棋诗歌舞剧曲鼓钟针线布衣帽鞋袜床桌椅灯镜刀剑弓箭船舟帆锚轮轴齿泵阀管缆锁钥窗墙瓦砖梁柱阶梯廊庭院巷街邮票贴章印刷编辑插图索引附录摘要证据推断假设概率均匀偏差误差采样频谱滤波矩阵向量积微极限',
	],
	arabic:
		'جديد قديم كبير صغير طويل قصير سريع بطيء مفتوح مغلق أحمر أخضر أزرق أبيض أسود جريدة مجلة رسالة مكتبة جامعة مستشفى مطار محطة قطار سيارة طائرة سفينة ميناء جزيرة صحراء غابة مطر ثلج ريح سحاب نجم أرض سماء تاريخ علم فن موسيقى رياضة اقتصاد صناعة زراعة تجارة قانون عدل حرية'.split(
			' ',
		),
	hebrew:
		'חדש ישן גדול קטן ארוך קצר מהיר איטי פתוח סגור אדום ירוק כחול לבן שחור עיתון מכתב ספריה אוניברסיטה תחנה רכבת מכונית מטוס אוניה נמל אי מדבר יער גשם שלג רוח ענן כוכב ארץ שמיים היסטוריה מדע אמנות מוזיקה ספורט כלכלה תעשייה חקלאות מסחר חוק צדק חופש'.split(
			' ',
		),
	korean:
		'교실 복도 계단 지붕 마당 울타리 대문 열쇠 자물쇠 시계 달력 공책 연필 지우개 가위 풀밭 언덕 골짜기 폭포 호수 섬마을 등대 항구 어부 농부 목수 화가 가수 배우 작가 기자 판사 경찰 소방관 약국 은행 우체국 도서관 박물관 극장 운동장 수영장 버스 기차 비행기 자전거 신호등 횡단보도'.split(
			' ',
		),
};

/** Parts of words of the last set. */
const latest = {
	onsets: 'b d f g h k l m n p r s t th v z gr tr bl st kn'.split(' '),
	nuclei: ['a', 'e', 'i', 'o', 'u', 'ai', 'eo', 'ei', 'au'],
	codas: ['', '', '', 'b', 'g', 'k', 'l', 'm', 'n', 'rd', 'ss', 'th', 'nt', 'lf'],
	italian: ['', '', 'à', 'è', 'ì', 'ò', 'ù'],
};

const isLate = (set: KnownSet): boolean => set === 'fourth' || set === 'reporting';

/** Words, sentences and blocks of one document. */
class Writer {
	readonly random: Random;
	readonly language: Known['language'];
	readonly #vocabulary: string[] = [];
	readonly #set: KnownSet;
	readonly notes: string[] = [];

	constructor(seed: number, language: Known['language'], set: KnownSet) {
		this.random = new Random(seed);
		this.language = language;
		this.#set = set;
		for (let at = 0; at < 500; at++) this.#vocabulary.push(this.#invented());
	}

	#invented(): string {
		if (isLate(this.#set)) return this.#freshWord();
		const syllable = () => this.random.pick(onsets) + this.random.pick(nuclei) + this.random.pick(codas);
		const word = Array.from({ length: this.random.pick([1, 1, 1, 2, 2, 3]) }, syllable).join('');
		if (this.language === 'de' && this.random.chance(0.3))
			return `${word[0]!.toUpperCase()}${word.slice(1).replace('ea', 'ä').replace('ou', 'ü')}`;
		return word;
	}

	#freshWord(): string {
		const { random } = this;
		const isFourth = this.#set === 'fourth';
		const { onsets, nuclei, codas } = isFourth ? fresh : latest;
		const accented = this.language === 'fr' ? fresh.french : this.language === 'it' ? latest.italian : undefined;
		const syllable = () =>
			random.pick(onsets) + ((accented && random.pick(accented)) || random.pick(nuclei)) + random.pick(codas);
		return Array.from({ length: random.pick(isFourth ? [1, 1, 2, 2, 2, 3, 4] : [1, 1, 1, 2, 2, 3]) }, syllable).join(
			'',
		);
	}

	/** Of the scripts that have words of their own. */
	#lists(): Pick<typeof fresh, 'cjk' | 'arabic' | 'hebrew' | 'korean'> {
		return isLate(this.#set) ? fresh : { cjk, arabic, hebrew, korean };
	}

	word(): string {
		const { random } = this;
		const lists = this.#lists();
		switch (this.language) {
			case 'zh':
			case 'ja': {
				const word = Array.from({ length: random.pick([1, 2, 2, 3]) }, () => random.pick(lists.cjk)).join('');
				return this.language === 'ja' && random.chance(0.5)
					? word + random.pick(['は', 'の', 'に', 'を', 'です', 'カタカナ', 'テスト'])
					: word;
			}
			case 'ko':
				return random.pick(lists.korean) + random.pick(['', '', '은', '를', '에서', '의']);
			case 'ar':
				return random.pick(lists.arabic);
			case 'he':
				return random.pick(lists.hebrew);
			default: {
				const at = Math.floor(random.next() ** 2 * this.#vocabulary.length);
				const word = this.#vocabulary[at] as string;
				return random.chance(0.02) ? `${word}-${this.#vocabulary[(at * 7 + 3) % 500] as string}` : word;
			}
		}
	}

	words(count: number): string {
		const gap = /zh|ja/.test(this.language) ? '' : ' ';
		return Array.from({ length: count }, () => this.word()).join(gap);
	}

	capital(text: string): string {
		return text === '' ? text : (text[0] as string).toUpperCase() + text.slice(1);
	}

	sentence(): string {
		const { random } = this;
		const stop = /zh|ja/.test(this.language) ? '。' : '.';
		const comma = /zh|ja/.test(this.language) ? '，' : this.language === 'ar' ? '، ' : ', ';
		const parts = Array.from({ length: random.pick([1, 1, 2]) }, () => this.words(random.whole(4, 11)));
		const number = random.chance(0.15) ? `${/zh|ja/.test(this.language) ? '' : ' '}${random.whole(2, 9999)}` : '';
		return this.capital(parts.join(comma)) + number + stop;
	}

	content(sentences: number, footnotes = false): Piece[] {
		const { random } = this;
		const gap = /zh|ja/.test(this.language) ? '' : ' ';
		const pieces: Piece[] = [];
		for (let at = 0; at < sentences; at++) {
			if (at > 0) pieces.push({ text: gap || '\u200b' });
			pieces.push({ text: this.sentence() });
			if (random.chance(0.12))
				pieces.push(
					{ text: gap || '\u200b' },
					{ text: this.words(random.whole(1, 3)), mark: random.pick(['strong', 'em'] as const) },
					{ text: /zh|ja/.test(this.language) ? '。' : '.' },
				);
			if (random.chance(0.08)) {
				const slug = Array.from({ length: 6 }, () => random.pick([...'abcdefghij'])).join('');
				pieces.push(
					{ text: gap || '\u200b' },
					{ text: this.words(2), url: `https://${slug}.test/${random.whole(1, 99)}` },
					{ text: /zh|ja/.test(this.language) ? '。' : '.' },
				);
			}
			if (footnotes && random.chance(0.25)) {
				this.notes.push(this.sentence());
				pieces.push({ note: this.notes.length });
			}
		}
		return pieces;
	}

	heading(level: number): KnownBlock {
		return { kind: 'heading', level, text: this.capital(this.words(this.random.whole(2, 6))) };
	}

	paragraph(footnotes = false): KnownBlock {
		return { kind: 'paragraph', content: this.content(this.random.whole(3, 7), footnotes) };
	}

	table(): KnownBlock {
		const { random } = this;
		const isLast = this.#set === 'reporting';
		const columns = random.whole(2, isLast ? 6 : 5);
		const cell = (column: number) =>
			column > 0 && random.chance(0.5)
				? `${random.whole(1, 9999)}${random.pick(['', '%', '.5', ' kg'])}`
				: this.capital(this.words(random.whole(1, columns > 3 ? 2 : 4)));
		const head = Array.from({ length: columns }, () => this.capital(this.words(random.whole(1, 2))));
		const rows = Array.from({ length: isLast ? random.whole(2, 14) : random.whole(3, 8) }, () =>
			Array.from({ length: columns }, (_, column) => cell(column)),
		);
		return { kind: 'table', rows: [head, ...rows] };
	}

	list(ordered: boolean): KnownBlock {
		const items = Array.from(
			{ length: this.random.whole(3, 6) },
			(): KnownItem => ({
				content: this.random.chance(0.6)
					? [{ text: this.capital(this.words(this.random.whole(3, 9))) }]
					: this.content(this.random.whole(1, 2)),
				inner: this.random.chance(0.2) ? Array.from({ length: 2 }, () => this.capital(this.words(3))) : [],
			}),
		);
		return { kind: 'list', ordered, items };
	}

	code(): KnownBlock {
		const { random } = this;
		const name = () =>
			this.random.pick(onsets) + this.random.pick(nuclei) + this.random.pick(['n', 'r', 'st', 'x', 'Id', 'Map']);
		const lines = [`function ${name()}(${name()}, ${name()}) {`];
		for (let at = random.whole(1, 4); at > 0; at--) {
			const variable = name();
			lines.push(`  const ${variable} = ${name()}[${random.whole(0, 99)}] + "${name()}";`);
			if (random.chance(0.4))
				lines.push(`  if (${variable} > ${random.whole(1, 50)}) {`, `    return ${name()}(${variable});`, '  }');
			if (random.chance(0.2)) lines.push('');
		}
		lines.push(`  return ${name()};`, '}');
		return { kind: 'code', text: lines.join('\n') };
	}
}

const languageOf = (kind: KnownKind, seed: number, set: KnownSet): Known['language'] => {
	if (kind === 'cjk') return (['zh', 'ja', 'ko'] as const)[seed % 3] ?? 'zh';
	if (kind === 'rtl') return seed % 2 === 0 ? 'ar' : 'he';
	if (kind !== 'mixed') return 'en';
	return set === 'fourth' ? 'fr' : set === 'reporting' ? 'it' : 'de';
};

/** A document whose every word is known. */
export function knownDocument(kind: KnownKind, seed: number, set: KnownSet): Known {
	const language = languageOf(kind, seed, set);
	const writer = new Writer(seed * 131 + knownKinds.indexOf(kind), language, set);
	const { random } = writer;
	const title = writer.capital(writer.words(random.whole(3, 6)));
	const blocks: KnownBlock[] = [{ kind: 'heading', level: 1, text: title }, writer.paragraph()];
	const sections = kind === 'long' ? 24 : random.whole(4, 6);
	const noted = kind === 'footnotes' || (kind === 'columns' && (set === 'third' || isLate(set)));
	// Headings of some documents begin with their number.
	const isNumbered = isLate(set) && kind !== 'rtl' && random.chance(0.4);
	let [chapter, part] = [0, 0];
	const heading = (level: 2 | 3) => {
		[chapter, part] = level === 2 ? [chapter + 1, 0] : [chapter, part + 1];
		const block = writer.heading(level);
		const number = level === 2 ? `${chapter}` : `${chapter}.${part}`;
		return isNumbered && block.kind === 'heading' ? { ...block, text: `${number} ${block.text}` } : block;
	};
	for (let at = 0; at < sections; at++) {
		blocks.push(heading(2));
		for (let count = kind === 'long' ? 4 : random.whole(1, 3); count > 0; count--) blocks.push(writer.paragraph(noted));
		blocks.push(...extras(kind, writer, at));
		if (random.chance(0.4)) blocks.push(heading(3), writer.paragraph(noted));
	}
	const author = 'Ada Example';
	return { set, seed, kind, language, title, author, blocks, notes: writer.notes };
}

function extras(kind: KnownKind, writer: Writer, at: number): KnownBlock[] {
	const { random } = writer;
	switch (kind) {
		case 'tables':
			return [writer.table(), writer.paragraph()];
		case 'code':
			return [writer.code(), writer.paragraph()];
		case 'lists':
			return [
				writer.list(random.chance(0.4)),
				...(at % 2 === 0 ? [{ kind: 'image', alt: writer.capital(writer.words(4)) } as const] : []),
			];
		case 'columns':
			return at === 1 ? [writer.list(false)] : [];
		case 'mixed':
			return [
				random.pick([() => writer.table(), () => writer.code(), () => writer.list(true)])(),
				{ kind: 'quote', content: writer.content(2) },
			];
		case 'long':
			return at % 6 === 2 ? [writer.table()] : at % 6 === 4 ? [writer.list(false)] : [];
		default:
			return at === 2 ? [writer.table()] : at === 3 ? [writer.list(true)] : [];
	}
}
