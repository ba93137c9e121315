// Words by which rules for noise recognise clocks, counters and advertising.

const counted = [
	...[
		'views?',
		'reads?',
		'likes?',
		'dislikes?',
		'comments?',
		'replies',
		'reply',
		'answers?',
		'votes?',
		'upvotes?',
		'points?',
	],
	...[
		'shares?',
		'retweets?',
		'reposts?',
		'claps?',
		'reactions?',
		'followers?',
		'following',
		'subscribers?',
		'members?',
	],
	...[
		'downloads?',
		'installs?',
		'plays?',
		'listens?',
		'streams?',
		'visits?',
		'visitors?',
		'hits?',
		'impressions?',
		'guests?',
	],
	...[
		'bookmarks?',
		'favou?rites?',
		'saves?',
		'forks?',
		'watchers?',
		'contributors?',
		'reviews?',
		'ratings?',
		'posts?',
		'topics?',
	],
	...[
		'online',
		'aufrufe',
		'kommentare?',
		'antworten',
		'vues?',
		'commentaires?',
		'visitas?',
		'comentarios?',
		'visualizzazioni',
	],
].join('|');

/** A whole number, or one that is cut: 1,204 or 1.2k. */
const number = String.raw`(?:\d{1,3}(?:[.,\u00a0\u202f ]\d{3})+|\d+|\d+(?:[.,]\d+)?\s?(?:k|m|b|tsd\.?|mio\.?))\+?`;
const people = '(?:people|users|others|visitors|guests|shoppers|members|customers)';
const watching = '(?:viewing|looking|watching|browsing|reading|online|here|have this in their)';

/** Parts of a line that are a counter and nothing else. */
export const counters: readonly RegExp[] = [
	// "1,204 views", "38 weekly downloads", "212 stars": a hotel has fewer
	new RegExp(`^${number} (?:(?:weekly|monthly|daily|total|unique) )?(?:${counted})(?: online)?$`, 'iu'),
	// "1,204 stars": a hotel has fewer than ten.
	/^(?:\d{2,}|\d{1,3}(?:[.,]\d{3})+|\d+(?:\.\d+)?\s?k) stars?$/iu,
	// "Views: 1204", "Comments (4)", "Online: 34 members"
	new RegExp(String.raw`^(?:${counted}) ?[:(] ?${number}(?: (?:${counted}))?\)?$`, 'iu'),
	// "Viewed 1,204 times", "This page has been accessed 10,422 times."
	new RegExp(
		String.raw`^(?:this (?:page|article|post|story|video|topic|thread|file) (?:has been|was) )?(?:viewed|read|downloaded|accessed|visited|played|shared) ${number} times\.?$`,
		'iu',
	),
	new RegExp(String.raw`^(?:you are )?visitor (?:number|no\.|#)? ?${number}\.?$`, 'iu'),
	// "17 people are looking at this right now", "There are 212 users online"
	new RegExp(
		String.raw`^(?:there (?:are|is) )?${number} ${people} (?:(?:are|is) )?(?:(?:currently|now) )?${watching}(?: [^\d]{0,40})?$`,
		'iu',
	),
	// "Users browsing this thread: 4 guests", "Currently reading: 4 guests"
	new RegExp(String.raw`^(?:${people}|currently|now) ${watching}[^\d:]{0,30}: ?${number}(?: ${people})?$`, 'iu'),
	// "41 people like this"
	new RegExp(
		String.raw`^${number} ${people} (?:liked?|loved?|saved?|follow(?:ed)?|found) (?:this|it)(?: helpful)?\.?$`,
		'iu',
	),
	// "23 sold in the last 24 hours"
	new RegExp(
		String.raw`^${number} (?:sold|bought|ordered|viewed|views) in (?:the )?(?:last|past) (?:\d+ )?(?:hours?|days?|weeks?)\.?$`,
		'iu',
	),
	// "Share 12" on a button; "❤ 41", but no stars, which rate.
	new RegExp(`^(?:share|like|follow|comment|reply|repost|save|upvote) ${number}$`, 'iu'),
	new RegExp(String.raw`^[👁👀❤♥👍👎💬🔁🔖📥]\ufe0f? ?${number}$`, 'u'),
];

/** A counter in brackets behind something else: "4.5 out of 5 (1,204 ratings)". */
export const bracketed = new RegExp(String.raw`\(${number} (?:${counted})\)`, 'giu');

/** How long ago, in the words of eighteen languages. */
export const relativeTimes: readonly RegExp[] = [
	// English: 3 minutes ago, 3m ago
	/\b(?:\d+|an?|one|a few) ?(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mos?|months?|y|yrs?|years?)\.? ago\b/giu,
	/\b(?:just now|moments? ago)\b/giu,
	// The word behind "last seen", "posted" and the like.
	/(?<=\b(?:last (?:seen|active|online)|active|posted|updated|published|edited) )(?:yesterday|today)\b/giu,
	// German: vor 3 Minuten
	/\bvor (?:\d+|eine[rmn]?|wenigen) (?:sekunden?|minuten?|stunden?|tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?)\b/giu,
	// French: il y a 3 minutes
	/\bil y a (?:\d+|une?|quelques) (?:secondes?|minutes?|heures?|jours?|semaines?|mois|ans?)\b/giu,
	// Spanish: hace 3 minutos
	/\bhace (?:\d+|una?|unos) (?:segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|años?)(?!\p{L})/giu,
	// Portuguese: há 3 minutos
	/\bhá (?:\d+|uma?) (?:segundos?|minutos?|horas?|dias?|semanas?|mês|meses|anos?)\b/giu,
	// Italian: 3 minuti fa
	/\b(?:\d+|una?) (?:second[oi]|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]) fa\b/giu,
	// Dutch: 3 minuten geleden
	/\b(?:\d+|een) (?:seconden?|minuten|minuut|uur|uren|dagen|dag|weken|week|maanden|maand|jaar) geleden\b/giu,
	// Japanese and Chinese: 3 分前
	/(?<!\d)\d+ ?(?:秒|分|分钟|時間|小时|日|天|週間|周|か月|个月|年)前/gu,
	// Russian: 3 минуты назад
	/(?<!\d)\d+ (?:секунд|минут|час|день|дн|недел|месяц|год|лет)\p{L}* назад/giu,
	// Swedish, Danish and Norwegian: för 3 minuter sedan, for 3 minutter siden
	/(?<!\p{L})f[öo]r (?:\d+|en|ett|et) (?:sek\p{L}*|min\p{L}*|tim\p{L}*|da(?:g|ge|gar|ger)|veck\p{L}*|uge\p{L}*|uke\p{L}*|mån\p{L}*|måned\p{L}*|år) (?:sedan|siden)(?!\p{L})/giu,
	// Polish and Czech: 3 minuty temu, před 3 minutami
	/(?<!\d)\d+ (?:sekund|minut|godzin|dni|dzień|tygod|miesi|rok|lat)\p{L}* temu(?!\p{L})/giu,
	/(?<!\p{L})před (?:\d+ )?(?:sekund|minut|hodin|dn|týdn|měsíc|lety|rok)\p{L}*/giu,
	// Finnish, Turkish and Korean: 3 minuuttia sitten, 3 dakika önce, 3분 전
	/(?<!\d)\d+ (?:sekuntia|minuuttia|tuntia|päivää|viikkoa|kuukautta|vuotta) sitten(?!\p{L})/giu,
	/(?<!\d)\d+ (?:saniye|dakika|saat|gün|hafta|ay|yıl) önce(?!\p{L})/giu,
	/(?<!\d)\d+ ?(?:초|분|시간|일|주|개월|달|년) ?전/gu,
];

const names = 'jan feb mar apr may jun jul aug sep oct nov dec mon tue wed thu fri sat sun'.split(' ').join('|');
/** A word ends where letters end, so that there is one way to read each line. */
const moment = String.raw`(?:[\d\s.,:/+()–-]|(?:[tz]|[ap]\.?m\.?|utc|gmt|cest|cet|[ecmp][sd]t|uhr|at|on|um|the|of|(?:${names})[a-z]*)(?![a-z]))`;

/** Lines that are a clock of the server and nothing else. "Last updated" counts with a time of day only. */
export const clocks: readonly RegExp[] = [
	new RegExp(`^(?:(?:current|local|server|system) (?:date|time)|the time|time now)(?: is)?:? ${moment}+$`, 'iu'),
	new RegExp(String.raw`^it(?: is|’s|'s) now (?=[^.]*\d:\d\d)${moment}+(?: in [\p{L} ]{2,30})?\.?$`, 'iu'),
	new RegExp(`^today(?: is|:) ${moment}+$`, 'iu'),
	new RegExp(
		String.raw`^(?:(?:this )?(?:page|site) )?(?:generated|rendered|served|loaded|executed|processed)(?: on| at)?:? (?=.*\d)${moment}+$`,
		'iu',
	),
	// "Page rendered in 0.84 seconds"
	/^(?:(?:this )?(?:page|site) )?(?:was )?(?:generated|rendered|created|served|loaded|executed|processed) in [\d.,]+ ?(?:ms|milliseconds|s|secs?|seconds)(?:,? (?:with|using|and) \d+ (?:sql |db |database )?queries)?\.?$/iu,
	new RegExp(
		String.raw`^(?:last )?(?:updated?|modified|refresh(?:ed)?|check(?:ed)?|sync(?:ed)?)(?: on| at)?:? (?=.*\d:\d\d)${moment}+$`,
		'iu',
	),
	// "Data as of 12:04 UTC"
	new RegExp(String.raw`^(?:[\p{L}]{1,20} )?as of:? (?=.*\d:\d\d)${moment}+$`, 'iu'),
	// A countdown: "Offer ends in 02:14:55"
	/^(?:[\p{L} ]{1,30} )?(?:ends|ending|expires|closes|starts|begins)(?: in)?:? (?:\d+ ?d(?:ays?)? ?)?\d{1,3}:\d\d(?::\d\d)$/iu,
	/^\d{1,2}:\d\d:\d\d$/u,
];

/** Names of links that show something else on each visit. */
export const rails =
	/^(?:(?:related|similar|more) (?:articles?|posts?|stories|videos|reading|topics)|(?:related|similar) (?:products|items)|(?:read|up|watch) next|more from [\p{L}\p{N} ]{1,40}|ähnliche (?:artikel|beiträge|produkte)|das könnte (?:sie|dich) auch interessieren|articles similaires|à lire aussi|artículos relacionados|te puede interesar|articoli correlati|leggi anche|gerelateerde artikelen|powiązane artykuły|関連記事|相关文章|you (?:may|might) also (?:like|enjoy)|recommended(?: for you)?|trending(?: now| today)?|most (?:read|popular|viewed|shared)|popular (?:now|today|posts|articles)|more for you|meistgelesen|les plus lus|lo más leído)[ .:!]*$/iu;

/** The mark of advertising, alone in its block. */
export const adMark =
	/^[^\p{L}]*(?:advertisements?|advert|ads?|sponsored(?: content| posts?| links?)?|promoted(?: content)?|anzeigen?|werbung|publicité|publicidad|pubblicità|reklame|広告)[^\p{L}]*$/iu;

/** The same in front of a link. */
export const adLine =
	/^[^\p{L}[]*(?:advertisement|ad|sponsored|promoted|anzeige|werbung|publicité|publicidad)\s*[:·–-]\s*(?=!?\[)/iu;

/** Hosts that deliver advertising and nothing else. */
export const adHosts =
	/(?:^|\.)(?:doubleclick\.net|googlesyndication\.com|googleadservices\.com|amazon-adsystem\.com|adnxs\.com|taboola\.com|outbrain\.com|criteo\.(?:com|net)|adform\.net|rubiconproject\.com|pubmatic\.com|mgid\.com)$/iu;

/** Values that a server makes for one request. */
export const tokens: readonly RegExp[] = [
	// The value behind "Request ID:", "nonce=" and similar labels.
	/(?<=\b(?:csrf|xsrf|nonce|session|session id|request id|ray id|trace id|correlation id|transaction id|incident id|error id|event id)["'`]?\s?[:=]?\s?["'`]?)(?=[\w.+/=-]*\d)[\w.+/=-]{6,}/giu,
	// The value of a hidden field, in code that is shown.
	/(?<=(?:csrf|xsrf|nonce|token)[\w-]*["']\s+value=["'])[^"']+/giu,
	/(?<=\breference #)\d+\.[\da-f.]+/giu,
];

/** Parameters that sessions, signatures and caches add to addresses, beside tracking; as these services write them. */
export const volatileParameters = [
	...['sid', 'session', 'session_id', 'csrf*', 'xsrf*', '_token', 'token', 'nonce', '_wpnonce', 'authenticity_token'],
	...['X-Amz-*', 'X-Goog-*', 'sig', 'signature', 'Signature', 'Expires', 'Key-Pair-Id', 'Policy', 'itok', 'request_id'],
	...['_', 'ts', 'timestamp', 'cb', 'cachebuster', 'cachebust', 'rnd', 'rand', 'random'],
];
/** The same for pictures, whose version is no content. */
export const volatileOfPictures = [...volatileParameters, 'v', 'ver', 'hash', 't', 'rev'];
