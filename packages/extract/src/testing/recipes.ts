/** Recipes in the layouts of recipe sites, as pages: what a reader must find in them is the list of ingredients. */

export interface Ingredient {
	readonly amount: string;
	readonly unit: string;
	readonly name: string;
	readonly note?: string;
	/** In the other system of units, for pages that offer both. */
	readonly other: string;
}

export interface Recipe {
	readonly language: string;
	readonly title: string;
	readonly intro: readonly string[];
	readonly words: Readonly<Record<'ingredients' | 'steps' | 'notes' | 'print' | 'jump' | 'comments' | 'more', string>>;
	readonly groups: readonly { readonly name: string; readonly items: readonly Ingredient[] }[];
	readonly steps: readonly string[];
}

const item = (amount: string, unit: string, name: string, other: string, note?: string): Ingredient => ({
	amount,
	unit,
	name,
	other,
	...(note !== undefined && { note }),
});

export const recipes: readonly Recipe[] = [
	{
		language: 'en',
		title: 'Braised leeks with brown butter',
		intro: [
			'Every autumn the market near our house fills with leeks, and every autumn I forget how good they are when they are given an hour in the oven. This is the version that my neighbour taught me, with brown butter and a handful of toasted hazelnuts.',
			'It is a slow dish, but nearly all of the time belongs to the oven. You can make it a day ahead and warm it through, and the sauce only gets better for the wait.',
		],
		words: {
			ingredients: 'Ingredients',
			steps: 'Instructions',
			notes: 'Notes',
			print: 'Print recipe',
			jump: 'Jump to recipe',
			comments: 'Comments',
			more: 'You may also like',
		},
		groups: [
			{
				name: 'For the leeks',
				items: [
					item('6', '', 'slim leeks, trimmed', '6 slim leeks (US)'),
					item('1 ½', 'cups', 'chicken stock', '355 ml chicken stock'),
					item('¾', 'teaspoon', 'fine sea salt', '4 g fine sea salt'),
					item('2', 'sprigs', 'thyme', '2 small sprigs thyme', 'or rosemary'),
				],
			},
			{
				name: 'For the sauce',
				items: [
					item('4', 'tablespoons', 'unsalted butter', '57 g unsalted butter'),
					item('⅓', 'cup', 'hazelnuts, chopped', '45 g hazelnuts, chopped'),
					item('1 1/2', 'tablespoons', 'lemon juice', '22 ml lemon juice'),
					item('1', 'pinch', 'black pepper', '1 small pinch black pepper', 'freshly ground'),
				],
			},
		],
		steps: [
			'Heat the oven, wash the leeks well, and lay them in a dish in one layer with the thyme.',
			'Pour over the stock, cover the dish tightly, and braise until a knife meets no resistance.',
			'Brown the butter in a small pan, stir in the nuts, and take it off the heat before it darkens.',
			'Add the juice, season the sauce, spoon it over the leeks, and serve them while they are warm.',
		],
	},
	{
		language: 'de',
		title: 'Linsensuppe mit Backpflaumen',
		intro: [
			'Diese Suppe kocht sich fast von allein und schmeckt am zweiten Tag noch besser. Die Backpflaumen geben ihr eine leise Süße, die gut zum Essig passt, und wer mag, legt am Ende noch ein Würstchen hinein.',
			'Meine Großmutter hat sie jeden Samstag gekocht, immer in demselben Topf, und nie hat sie dafür in ein Buch gesehen. Ich habe lange gebraucht, bis meine so schmeckte wie ihre.',
		],
		words: {
			ingredients: 'Zutaten',
			steps: 'Zubereitung',
			notes: 'Tipps',
			print: 'Rezept drucken',
			jump: 'Zum Rezept',
			comments: 'Kommentare',
			more: 'Das könnte dir auch gefallen',
		},
		groups: [
			{
				name: 'Für die Suppe',
				items: [
					item('250', 'g', 'Tellerlinsen', '9 oz Tellerlinsen'),
					item('1 ½', 'Liter', 'Gemüsebrühe', '6 Tassen Gemüsebrühe'),
					item('2', '', 'Möhren, gewürfelt', '2 große Möhren, gewürfelt'),
					item('1', 'Stange', 'Lauch', '1 dünne Stange Lauch'),
				],
			},
			{
				name: 'Zum Abschmecken',
				items: [
					item('8', '', 'Backpflaumen', '8 weiche Backpflaumen', 'ohne Stein'),
					item('2', 'EL', 'Rotweinessig', '30 ml Rotweinessig'),
					item('½', 'TL', 'Majoran', '1 g Majoran', 'getrocknet'),
					item('1', 'Prise', 'Zucker', '1 kleine Prise Zucker'),
				],
			},
		],
		steps: [
			'Die Linsen waschen und mit der Brühe in einem großen Topf langsam zum Kochen bringen.',
			'Das Gemüse dazugeben und alles bei kleiner Hitze garen, bis die Linsen weich sind.',
			'Die Pflaumen halbieren, in die Suppe geben und noch einige Minuten ziehen lassen.',
			'Mit Essig, Majoran und Zucker abschmecken und mit frischem Brot servieren.',
		],
	},
	{
		language: 'fr',
		title: 'Tarte fine aux pommes',
		intro: [
			'Une tarte toute simple, faite avec presque rien : une pâte, des pommes, un peu de beurre et de sucre. Elle se prépare en quelques minutes et se mange tiède, avec une cuillerée de crème épaisse.',
			'Je la fais depuis toujours avec les pommes du jardin, celles qui tombent et que personne ne veut. Elles sont acides, elles tiennent bien à la cuisson, et c’est tout ce que l’on demande.',
		],
		words: {
			ingredients: 'Ingrédients',
			steps: 'Préparation',
			notes: 'Astuces',
			print: 'Imprimer la recette',
			jump: 'Aller à la recette',
			comments: 'Commentaires',
			more: 'À lire aussi',
		},
		groups: [
			{
				name: 'Pour la pâte',
				items: [
					item('200', 'g', 'de farine', '1 tasse ⅔ de farine'),
					item('100', 'g', 'de beurre froid', '7 c. à s. de beurre froid'),
					item('5', 'cl', "d'eau glacée", "3 c. à s. d'eau glacée"),
				],
			},
			{
				name: 'Pour la garniture',
				items: [
					item('4', '', 'pommes acides', '4 belles pommes acides'),
					item('1 ½', 'c. à s.', 'de cassonade', '20 g de cassonade'),
					item('½', 'gousse', 'de vanille', '1 petite gousse de vanille', 'fendue'),
					item('2', 'c. à c.', 'de gelée de coing', '15 g de gelée de coing'),
				],
			},
		],
		steps: [
			'Sabler la farine avec le beurre, ajouter l’eau, former une boule et la laisser reposer au frais.',
			'Étaler la pâte très finement sur une feuille de papier et la piquer avec une fourchette.',
			'Disposer les pommes en fines tranches, parsemer de sucre et enfourner jusqu’à ce que les bords dorent.',
			'Badigeonner la tarte encore chaude de gelée fondue et la servir sans attendre.',
		],
	},
	{
		language: 'ja',
		title: '鶏肉と大根の煮物',
		intro: [
			'寒くなると食べたくなる、鶏肉と大根の煮物です。大根は米のとぎ汁で下ゆですると、味がよくしみて、驚くほどやわらかくなります。一晩おくとさらにおいしくなるので、前の日に作っておくのがおすすめです。',
			'母がいつも作ってくれた味を思い出しながら、何度も試してこの分量に落ち着きました。甘さは控えめにしてありますので、お好みで加減してください。',
		],
		words: {
			ingredients: '材料',
			steps: '作り方',
			notes: 'コツ・ポイント',
			print: '印刷する',
			jump: 'レシピへ',
			comments: 'コメント',
			more: 'おすすめのレシピ',
		},
		groups: [
			{
				name: '具',
				items: [
					item('300', 'g', '鶏もも肉', '10オンスの鶏もも肉'),
					item('½', '本', '大根', '大根小1本'),
					item('1', 'かけ', 'しょうが', 'しょうが10g'),
				],
			},
			{
				name: '煮汁',
				items: [
					item('大さじ3', '', 'しょうゆ', 'しょうゆ45ml'),
					item('大さじ2', '', 'みりん', 'みりん30ml'),
					item('小さじ1', '', '砂糖', '砂糖3g'),
					item('400', 'ml', 'だし汁', 'だし汁2カップ'),
				],
			},
		],
		steps: [
			'大根は厚めの輪切りにして皮をむき、とぎ汁でやわらかくなるまで下ゆでします。',
			'鶏肉は一口大に切り、鍋に油を熱して皮の面から焼き色がつくまで焼きます。',
			'大根と煮汁の材料をすべて加え、落としぶたをして弱火でゆっくり煮ます。',
			'火を止めて冷まし、食べる前にもう一度温めて器に盛り、しょうがを添えます。',
		],
	},
	{
		language: 'zh',
		title: '家常红烧茄子',
		intro: [
			'红烧茄子是我家饭桌上最常见的一道菜，做法并不难，关键是茄子要先用盐腌一会儿，挤掉水分，这样下锅的时候就不会吸太多的油，吃起来软糯又不腻。',
			'这个方子是跟外婆学的，她从来不称量，全凭手感。我试了很多次，才把每样调料的用量记下来，照着做就不会出错。',
		],
		words: {
			ingredients: '用料',
			steps: '做法',
			notes: '小贴士',
			print: '打印',
			jump: '查看做法',
			comments: '评论',
			more: '相关菜谱',
		},
		groups: [
			{
				name: '主料',
				items: [
					item('2', '根', '长茄子', '长茄子一磅'),
					item('100', '克', '猪肉末', '猪肉末三盎司'),
					item('4', '瓣', '大蒜', '大蒜八克'),
				],
			},
			{
				name: '调料',
				items: [
					item('2', '勺', '生抽', '生抽30毫升'),
					item('半', '勺', '老抽', '老抽7毫升'),
					item('1', '勺', '白糖', '白糖12克'),
					item('适量', '', '水淀粉', '水淀粉少许'),
				],
			},
		],
		steps: [
			'茄子切成滚刀块，撒上盐拌匀，腌十几分钟以后把水挤干净备用。',
			'锅里放油烧热，下茄子用中火慢慢煎软，盛出来放在一边。',
			'用锅里剩下的油把肉末炒散，再放蒜末炒出香味，把调料倒进去烧开。',
			'把茄子倒回锅里烧几分钟，最后勾芡，撒上葱花就可以出锅了。',
		],
	},
];

/** A way to write a recipe; `written` is how the line of an ingredient reads. */
export interface RecipeLayout {
	readonly name: string;
	body(recipe: Recipe): string;
	written?(ingredient: Ingredient): string;
	/** `head` of the page: linked data, styles. */
	head?(recipe: Recipe): string;
	/** Whether the page is nothing but the recipe. */
	readonly bare?: boolean;
}

const line = ({ amount, unit, name, note }: Ingredient): string =>
	[amount, unit, name, note === undefined ? '' : `(${note})`].filter(Boolean).join(' ');
const nameFirst = ({ amount, unit, name, note }: Ingredient): string =>
	[name, note === undefined ? '' : `(${note})`, amount, unit].filter(Boolean).join(' ');
const all = ({ groups }: Recipe): Ingredient[] => groups.flatMap(({ items }) => items);
const each = <T>(values: readonly T[], write: (value: T, index: number) => string): string =>
	values.map(write).join('');
const ul = (items: readonly Ingredient[], attributes = ''): string =>
	`<ul${attributes}>${each(items, (one) => `<li>${line(one)}</li>`)}</ul>`;
const ol = ({ steps }: Recipe): string => `<ol>${each(steps, (step) => `<li>${step}</li>`)}</ol>`;
const parts = (recipe: Recipe, list: string, tag = 'h2'): string =>
	`<${tag}>${recipe.words.ingredients}</${tag}>${list}<${tag}>${recipe.words.steps}</${tag}>${ol(recipe)}`;
const spans = ({ amount, unit, name, note }: Ingredient, prefix: string): string =>
	`<span class="${prefix}-amount">${amount}</span>${unit && ` <span class="${prefix}-unit">${unit}</span>`} <span class="${prefix}-name">${name}</span>${note === undefined ? '' : ` <span class="${prefix}-notes">(${note})</span>`}`;
const jsonLd = (recipe: Recipe): string =>
	`<script type="application/ld+json">${JSON.stringify({
		'@context': 'https://schema.org',
		'@type': 'Recipe',
		name: recipe.title,
		recipeIngredient: all(recipe).map(line),
		recipeInstructions: recipe.steps.map((text) => ({ '@type': 'HowToStep', text })),
	})}</script>`;
const box = '<svg width="16" height="16" viewBox="0 0 16 16"><rect width="14" height="14" x="1" y="1"></rect></svg>';

export const recipeLayouts: readonly RecipeLayout[] = [
	{
		name: 'WordPress plugin, groups, spans for amount, unit and name',
		head: jsonLd,
		body: (recipe) =>
			`<div class="wprm-recipe-container"><div class="wprm-recipe"><h2 class="wprm-recipe-name">${recipe.title}</h2><a class="wprm-recipe-print">${recipe.words.print}</a><div class="wprm-recipe-ingredients-container"><h3 class="wprm-recipe-header">${recipe.words.ingredients}</h3>${each(recipe.groups, ({ name, items }) => `<div class="wprm-recipe-ingredient-group"><h4 class="wprm-recipe-group-name">${name}</h4><ul class="wprm-recipe-ingredients">${each(items, (one) => `<li class="wprm-recipe-ingredient">${spans(one, 'wprm-recipe-ingredient')}</li>`)}</ul></div>`)}</div><div class="wprm-recipe-instructions-container"><h3>${recipe.words.steps}</h3><ul class="wprm-recipe-instructions">${each(recipe.steps, (step) => `<li><div class="wprm-recipe-instruction-text">${step}</div></li>`)}</ul></div></div></div>`,
	},
	{
		name: 'plugin with check boxes and a scale',
		head: jsonLd,
		body: (recipe) =>
			`<div class="tasty-recipes"><h2>${recipe.title}</h2><div class="tasty-recipes-ingredients"><div class="tasty-recipes-ingredients-header"><h3>${recipe.words.ingredients}</h3><div class="tasty-recipes-scale-container"><span>Scale</span><button>1x</button><button>2x</button><button>3x</button></div></div><div class="tasty-recipes-ingredients-body">${each(recipe.groups, ({ name, items }) => `<h4>${name}</h4><ul>${each(items, (one) => `<li data-tr-ingredient-checkbox=""><span class="tr-ingredient-checkbox-container"><input type="checkbox" aria-label="${line(one)}"><label></label></span><span data-amount="${one.amount}">${one.amount}</span> ${line({ ...one, amount: '' })}</li>`)}</ul>`)}</div></div><div class="tasty-recipes-instructions"><h3>${recipe.words.steps}</h3>${ol(recipe)}</div></div>`,
	},
	{
		name: 'a card with a flat list',
		body: (recipe) =>
			`<section class="mv-create-card"><h2 class="mv-create-title">${recipe.title}</h2><div class="mv-create-ingredients">${parts(recipe, ul(all(recipe)), 'h3')}</div></section>`,
	},
	{
		name: 'microdata, one list',
		body: (recipe) =>
			`<div itemscope itemtype="https://schema.org/Recipe"><h2 itemprop="name">${recipe.title}</h2><h3>${recipe.words.ingredients}</h3><ul>${each(all(recipe), (one) => `<li itemprop="recipeIngredient">${line(one)}</li>`)}</ul><h3>${recipe.words.steps}</h3><div itemprop="recipeInstructions">${ol(recipe)}</div></div>`,
	},
	{
		name: 'microdata of an old plugin, items without a list',
		body: (recipe) =>
			`<div class="easyrecipe" itemscope itemtype="http://schema.org/Recipe"><div class="ERSName" itemprop="name">${recipe.title}</div><div class="ERSIngredients"><div class="ERSIngredientsHeader">${recipe.words.ingredients}</div>${each(all(recipe), (one) => `<div class="ingredient" itemprop="ingredients">${line(one)}</div>`)}</div><div class="ERSInstructions"><div class="ERSInstructionsHeader">${recipe.words.steps}</div>${ol(recipe)}</div></div>`,
	},
	{
		name: 'RDFa',
		body: (recipe) =>
			`<div vocab="https://schema.org/" typeof="Recipe"><h2 property="name">${recipe.title}</h2><h3>${recipe.words.ingredients}</h3><ul>${each(all(recipe), (one) => `<li property="recipeIngredient">${line(one)}</li>`)}</ul><h3>${recipe.words.steps}</h3>${ol(recipe)}</div>`,
	},
	{
		name: 'hRecipe, paragraphs',
		body: (recipe) =>
			`<div class="hrecipe"><h2 class="fn">${recipe.title}</h2><h3>${recipe.words.ingredients}</h3>${each(all(recipe), (one) => `<p class="ingredient">${line(one)}</p>`)}<h3>${recipe.words.steps}</h3><div class="instructions">${ol(recipe)}</div></div>`,
	},
	{ name: 'plain list, linked data', head: jsonLd, body: (recipe) => parts(recipe, ul(all(recipe))) },
	{
		name: 'plain list, steps in paragraphs',
		body: (recipe) =>
			`<h2>${recipe.words.ingredients}</h2>${ul(all(recipe))}<h2>${recipe.words.steps}</h2>${each(recipe.steps, (step) => `<p>${step}</p>`)}`,
	},
	{
		name: 'lines broken in one paragraph',
		body: (recipe) => parts(recipe, `<p>${all(recipe).map(line).join('<br>')}</p>`),
	},
	{
		name: 'headings in bold, lines broken',
		body: (recipe) =>
			`<p><strong>${recipe.words.ingredients}:</strong></p><p>${all(recipe).map(line).join('<br>\n')}</p><p><strong>${recipe.words.steps}:</strong></p>${each(recipe.steps, (step, i) => `<p>${i + 1}. ${step}</p>`)}`,
	},
	{
		name: 'table of amount and name',
		body: (recipe) =>
			parts(
				recipe,
				`<table class="ingredients table-header"><tbody>${each(all(recipe), (one) => `<tr><td class="td-left"><span>${one.amount} ${one.unit}</span></td><td class="td-right"><span>${line({ ...one, amount: '', unit: '' })}</span></td></tr>`)}</tbody></table>`,
			),
	},
	{
		name: 'table with rows that name the groups',
		body: (recipe) =>
			parts(
				recipe,
				`<table>${each(recipe.groups, ({ name, items }) => `<tr><th colspan="2">${name}</th></tr>${each(items, (one) => `<tr><td>${one.amount} ${one.unit}</td><td>${line({ ...one, amount: '', unit: '' })}</td></tr>`)}`)}</table>`,
			),
	},
	{
		name: 'definition list',
		written: nameFirst,
		body: (recipe) =>
			parts(
				recipe,
				`<dl class="zutaten">${each(all(recipe), (one) => `<dt>${nameFirst({ ...one, amount: '', unit: '' })}</dt><dd>${one.amount} ${one.unit}</dd>`)}</dl>`,
			),
	},
	{
		name: 'groups below headings',
		head: jsonLd,
		body: (recipe) =>
			parts(
				recipe,
				each(recipe.groups, ({ name, items }) => `<h3>${name}</h3>${ul(items)}`),
			),
	},
	{
		name: 'groups below bold lines',
		body: (recipe) =>
			parts(
				recipe,
				each(recipe.groups, ({ name, items }) => `<p><b>${name}</b></p>${ul(items)}`),
			),
	},
	{
		name: 'a check box in a label for each item',
		head: jsonLd,
		body: (recipe) =>
			parts(
				recipe,
				`<ul class="checklist">${each(all(recipe), (one, i) => `<li><input type="checkbox" id="i${i}"><label for="i${i}">${line(one)}</label></li>`)}</ul>`,
			),
	},
	{
		name: 'buttons with a drawn box for each item',
		head: jsonLd,
		body: (recipe) =>
			parts(
				recipe,
				`<ul role="list">${each(all(recipe), (one) => `<li><span role="checkbox" aria-checked="false" tabindex="0">${box}</span><p><span data-ingredient-quantity="true">${one.amount}</span> <span data-ingredient-unit="true">${one.unit}</span> <span data-ingredient-name="true">${line({ ...one, amount: '', unit: '' })}</span></p></li>`)}</ul>`,
			),
	},
	{
		name: 'copies for wide and narrow screens, one hidden by the sheet of the page',
		head: (recipe) =>
			`${jsonLd(recipe)}<style>.only-narrow{display:none}@media(max-width:600px){.only-narrow{display:block}.only-wide{display:none}}</style>`,
		body: (recipe) =>
			`<div class="only-narrow"><h2>${recipe.words.ingredients}</h2>${ul(all(recipe))}</div><div class="cols"><div class="only-wide"><h2>${recipe.words.ingredients}</h2>${ul(all(recipe))}</div><div><h2>${recipe.words.steps}</h2>${ol(recipe)}</div></div>`,
	},
	{
		name: 'copies for wide and narrow screens, told by a helper class',
		body: (recipe) =>
			`<div class="row"><aside class="d-none d-md-block col-4"><h3>${recipe.words.ingredients}</h3>${ul(all(recipe))}</aside><div class="col-8"><div class="d-md-none"><h3>${recipe.words.ingredients}</h3>${ul(all(recipe))}</div><h3>${recipe.words.steps}</h3>${ol(recipe)}</div></div>`,
	},
	{
		name: 'two systems of units, one list shown',
		body: (recipe) =>
			`<h2>${recipe.words.ingredients}</h2><div class="toggle"><button aria-pressed="true">US</button><button aria-pressed="false">Metric</button></div>${ul(all(recipe), ' class="us"')}<ul class="metric" style="display:none">${each(all(recipe), ({ other }) => `<li>${other}</li>`)}</ul><h2>${recipe.words.steps}</h2>${ol(recipe)}`,
	},
	{
		name: 'two systems of units in each item',
		body: (recipe) =>
			parts(
				recipe,
				`<ul>${each(all(recipe), (one) => `<li><span class="unit-us">${line(one)}</span><span class="unit-metric" hidden>${one.other}</span></li>`)}</ul>`,
			),
	},
	{
		name: 'print version',
		bare: true,
		body: (recipe) =>
			`<div class="print-wrap"><button onclick="window.print()">${recipe.words.print}</button><h1>${recipe.title}</h1><h3>${recipe.words.ingredients}</h3>${each(all(recipe), (one) => `<div>${line(one)}</div>`)}<h3>${recipe.words.steps}</h3>${ol(recipe)}</div>`,
	},
	{
		name: 'parts that open',
		body: (recipe) =>
			`<details><summary>${recipe.words.ingredients}</summary>${ul(all(recipe))}</details><details open><summary>${recipe.words.steps}</summary>${ol(recipe)}</details>`,
	},
	{
		name: 'tabs, the second hidden',
		head: jsonLd,
		body: (recipe) =>
			`<div role="tablist"><button role="tab" aria-controls="p1" aria-selected="false">${recipe.words.ingredients}</button><button role="tab" aria-controls="p2" aria-selected="true">${recipe.words.steps}</button></div><div role="tabpanel" id="p1" hidden>${ul(all(recipe))}</div><div role="tabpanel" id="p2">${ol(recipe)}</div>`,
	},
	{
		name: 'ingredients in an aside beside the steps',
		head: jsonLd,
		body: (recipe) =>
			`<div class="recipe-grid"><aside class="sidebar-ingredients"><h3>${recipe.words.ingredients}</h3>${ul(all(recipe))}</aside><section><h3>${recipe.words.steps}</h3>${ol(recipe)}</section></div>`,
	},
	{
		name: 'rows of name and quantity',
		written: nameFirst,
		body: (recipe) =>
			parts(
				recipe,
				`<div id="ingredients_list">${each(recipe.groups, ({ name, items }) => `<div class="ingredient_row"><div class="ingredient_category">${name}</div></div>${each(items, (one) => `<div class="ingredient_row"><div class="ingredient_name"><span class="name">${nameFirst({ ...one, amount: '', unit: '' })}</span></div><div class="ingredient_quantity amount">${one.amount} ${one.unit}</div></div>`)}`)}</div>`,
			),
	},
	{
		name: 'cards with a picture for each item',
		head: jsonLd,
		body: (recipe) =>
			parts(
				recipe,
				`<div class="mrtn-recette_ingredients-items">${each(all(recipe), (one, i) => `<div class="card-ingredient"><div class="card-ingredient-image"><img src="/i/${i}.jpg" alt=""></div><div class="card-ingredient-content"><span class="card-ingredient-quantity"><span class="count">${one.amount}</span> <span class="unit">${one.unit}</span></span> <span class="ingredient-name">${line({ ...one, amount: '', unit: '' })}</span></div></div>`)}</div>`,
			),
	},
	{
		name: 'each name a link to its own page',
		head: jsonLd,
		body: (recipe) =>
			parts(
				recipe,
				`<ul>${each(all(recipe), (one, i) => `<li>${one.amount} ${one.unit} <a href="/glossary/${i}">${one.name}</a>${one.note === undefined ? '' : ` (${one.note})`}</li>`)}</ul>`,
			),
	},
	{
		name: 'boxes with generated class names',
		head: jsonLd,
		body: (recipe) =>
			`<div class="css-1a2b"><div class="css-9x8y"><h2 class="css-77aa">${recipe.words.ingredients}</h2><div class="css-0q1w">${each(all(recipe), (one) => `<div class="css-5t6y"><span class="css-amt">${one.amount} ${one.unit}</span><span class="css-nam"> ${line({ ...one, amount: '', unit: '' })}</span></div>`)}</div></div><div class="css-3e4r"><h2 class="css-77aa">${recipe.words.steps}</h2><div>${each(recipe.steps, (step, i) => `<div class="css-stp"><span class="css-num">${i + 1}</span><p>${step}</p></div>`)}</div></div></div>`,
	},
	{
		name: 'fractions drawn with raised and lowered digits, shop links behind each item',
		head: jsonLd,
		body: (recipe) =>
			parts(
				recipe,
				`<ul>${each(all(recipe), (one) => `<li>${line(one).replace('1/2', '<sup>1</sup>/<sub>2</sub>')} <a class="buy" rel="sponsored nofollow" href="https://shop.test/?q=1"></a></li>`)}</ul>`,
			),
	},
	{
		name: 'ingredients below the steps',
		body: (recipe) =>
			`<h2>${recipe.words.steps}</h2>${ol(recipe)}<h2>${recipe.words.ingredients}</h2>${ul(all(recipe))}`,
	},
];

/** How the page around the recipe looks. */
export const recipeShells = ['blog', 'portal'] as const;
export type RecipeShell = (typeof recipeShells)[number];

export interface RecipePage {
	readonly name: string;
	readonly html: string;
	readonly url: string;
	/** The lines of the ingredients. */
	readonly ingredients: readonly string[];
	/** The same in the other system of units: hidden. */
	readonly others: readonly string[];
}

/** All layouts with all recipes in both shells. */
export function recipePages(): RecipePage[] {
	return recipeLayouts.flatMap((layout) =>
		recipes.flatMap((recipe) =>
			(layout.bare ? recipeShells.slice(0, 1) : recipeShells).map((shell) => ({
				name: `${layout.name}, ${recipe.language}, ${shell}`,
				html: page(layout, recipe, shell),
				url: `https://kitchen.test/${recipe.language}/${shell === 'blog' ? '2026/10/' : 'recipes/'}dish`,
				ingredients: all(recipe).map((one) => (layout.written ?? line)(one)),
				others: all(recipe).map(({ other }) => other),
			})),
		),
	);
}

function page(layout: RecipeLayout, recipe: Recipe, shell: RecipeShell): string {
	const { language, title, intro, words } = recipe;
	const head = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${title} | Kitchen</title>${layout.head?.(recipe) ?? ''}</head>`;
	if (layout.bare) return `${head}<body>${layout.body(recipe)}</body></html>`;
	const menu = `<header><a href="/">Kitchen</a><nav><ul>${each(['Start', 'Recipes', 'Seasons', 'About', 'Shop'], (name) => `<li><a href="/${name}">${name}</a></li>`)}</ul></nav></header>`;
	const others = recipes.filter((other) => other !== recipe);
	const cards = `<section class="related"><h3>${words.more}</h3>${each(others, (other, i) => `<div class="card"><a href="/r/${i}"><img src="/r/${i}.jpg" alt=""><h4>${other.title}</h4></a></div>`)}</section>`;
	const footer =
		'<footer><ul><li><a href="/privacy">Privacy</a></li><li><a href="/imprint">Imprint</a></li></ul><p>© 2026 Kitchen</p></footer>';
	const text = each(intro, (paragraph) => `<p>${paragraph}</p>`);
	if (shell === 'portal')
		return `${head}<body>${menu}<main><div class="recipe-header"><h1>${title}</h1><div class="meta"><span>45 min</span> <span>4 ★</span></div>${text}</div>${layout.body(recipe)}</main>${cards}${footer}</body></html>`;
	return `${head}<body>${menu}<div class="site-content"><article class="post"><h1 class="entry-title">${title}</h1><a href="#recipe">${words.jump}</a><div class="entry-content">${text}<img src="/dish.jpg" alt="${title}"><div id="recipe">${layout.body(recipe)}</div><h3>${words.notes}</h3><p>${intro[1]!.slice(0, 60)}…</p></div></article><div id="comments" class="comments-area"><h3>3 ${words.comments}</h3><ol class="comment-list">${each(['Ada', 'Ben', 'Cleo'], (name) => `<li class="comment"><b class="fn">${name}</b> <time>2026-10-0${name.length}</time><p>${intro[0]!.slice(0, 40)}!</p><a href="#r">Reply</a></li>`)}</ol></div><aside class="sidebar">${cards}</aside></div>${footer}</body></html>`;
}
