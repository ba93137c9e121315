/**
 * Words of the User-Agents of browsers, phones and libraries, and words that any agent may use: none of them tells one
 * agent from another.
 */
const commonWords: ReadonlySet<string> = /* @__PURE__ */ listWords();

function listWords(): Set<string> {
	const words = `mozilla applewebkit khtml like gecko chrome chromium crios safari mobile version firefox fxios focus klar edg edge edga
	edgios opr opera opt opx opios presto trident msie compatible windows win32 win64 wow64 x64 x86 x86_64 i386 i686 amd64 arm
	arm64 armv7l aarch64 macintosh intel ppc mac os x11 linux ubuntu fedora debian android iphone ipad ipod ios cpu cros nt wv
	build release tablet phone touch tv smart-tv smarttv tizen webos web0s kaios harmonyos openharmony net clr rv en en-us en-gb
	us de fr es samsungbrowser ucbrowser yabrowser vivaldi brave duckduckgo ddg silk seamonkey palemoon waterfox iceweasel
	konqueror epiphany qqbrowser miuibrowser huaweibrowser heytapbrowser vivobrowser maxthon whale sleipnir puffin gsa fban fbav
	fbios fb_iab instagram micromessenger electron webview cfnetwork darwin samsung xiaomi redmi huawei honor oppo vivo oneplus
	motorola moto nokia lg lge sony htc pixel apple google microsoft bot bots robot robots
	crawler crawlers spider spiders scraper agent agents ai user-agent browser http https www com url the and for of with from`;
	return new Set(words.split(/\s+/));
}

/** Whether a product token is too common to name an agent: browsers have it too, or it is no more than a letter or a number. */
export function isCommonToken(token: string): boolean {
	return token.length < 2 || !/\p{L}/u.test(token) || commonWords.has(token.toLowerCase());
}
