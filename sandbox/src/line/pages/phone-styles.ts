/** A phone on the page. Colours of the chat follow the reader's scheme; Flex and templates stay as they were made, as on a phone. */
export const phoneStyles = `
.beside{display:grid;grid-template-columns:minmax(0,412px) minmax(220px,1fr);gap:24px;align-items:start}
.phone{--sky:#8cabd9;--them:#fff;--them-text:#111;--me:#84e27e;--bar:#fff;--bar-text:#111;--note:rgb(0 0 0/.32);border:10px solid #222;border-radius:36px;overflow:hidden;background:var(--sky);display:flex;flex-direction:column}
@media (prefers-color-scheme:dark){.phone{--sky:#1d1f24;--them:#33363c;--them-text:#f2f2f2;--me:#3b9e4b;--bar:#111315;--bar-text:#eee;--note:rgb(255 255 255/.16);border-color:#000}}
.phone-top{display:flex;gap:8px;align-items:center;background:var(--bar);color:var(--bar-text);padding:10px 14px;min-height:52px}
.phone-top .end{margin-left:auto}
.phone form.inline{margin:0}
/* Reversed, so that it opens at the newest. */
.chat{height:520px;overflow-y:auto;display:flex;flex-direction:column-reverse}
.said{padding:12px 10px;display:flex;flex-direction:column}
.day,.note,.nothing{text-align:center;font-size:12px;margin:8px 0;color:#fff}
.day span,.note span,.nothing{background:var(--note);border-radius:999px;padding:2px 12px;overflow-wrap:anywhere}
.nothing{align-self:center}
.them,.me{display:flex;flex-wrap:wrap;align-items:flex-end;gap:4px;margin:4px 0}
.me{justify-content:flex-end}
.them time{order:3}.me time{order:-1}
.them time,.me time{font-size:11px;color:#fff;opacity:.85}
.sender{flex-basis:100%;font-size:12px;color:#fff}
.what{max-width:calc(100% - 46px);min-width:0}
.what:has(.sideways){max-width:100%;flex-basis:100%}
.bubble{background:var(--them);color:var(--them-text);border-radius:18px;padding:8px 13px;white-space:pre-wrap;overflow-wrap:anywhere;width:fit-content;max-width:100%}
.me .bubble{background:var(--me);color:#081b08;max-width:75%}
@media (prefers-color-scheme:dark){.me .bubble{color:#fff}}
.line-emoji{color:#06c755;font-weight:700}
.shown{display:block;max-width:240px;border-radius:14px;background:#fff8}
.film{position:relative}.film img{display:block;width:100%}.film span{position:absolute;inset:0;display:grid;place-items:center;font-size:34px;color:#fff}
.sticker{font-size:72px;line-height:1.1}
.sideways{display:flex;gap:8px;overflow-x:auto;padding:2px 0 8px;align-items:stretch;max-width:100%}
.sideways>*{flex:none}
.phone button.over{position:absolute;inset:0;width:100%;height:100%;min-height:0;background:transparent;border:0;border-radius:0;padding:0}
.phone button.over:hover{background:rgb(0 0 0/.06)}
.phone button.over:focus-visible{outline-offset:-3px}
.card-of{width:248px;background:#fff;color:#111;border-radius:14px;overflow:hidden;display:flex;flex-direction:column}
.card-of p{margin:0;padding:10px 14px;white-space:pre-wrap;overflow-wrap:anywhere;font-size:14px}
.card-of strong{display:block;padding:12px 14px 0}
.card-of strong+p{padding-top:4px;color:#555}
.card-of img{display:block;width:100%}
.top-of{position:relative;flex:1}
.phone button.act{width:100%;border:0;border-top:1px solid #e6e6e6;border-radius:0;background:#fff;color:#42659a;min-height:44px;white-space:normal;position:relative;z-index:1}
.phone button.act:hover{background:#f3f5f8}
.pair{display:grid;grid-template-columns:1fr 1fr}.pair button+button{border-left:1px solid #e6e6e6!important}
.image-column{position:relative;width:200px;height:200px;border-radius:14px;overflow:hidden;background:#fff}
.image-column img{width:100%;height:100%;object-fit:cover;display:block}
.caption{position:absolute;left:50%;bottom:12px;transform:translateX(-50%);background:rgb(0 0 0/.55);color:#fff;border-radius:999px;padding:3px 12px;font-size:13px;white-space:nowrap}
.imagemap{position:relative;width:min(300px,100%);border-radius:10px;overflow:hidden;background:#fff}
.imagemap img{width:100%;height:100%;display:block}
.area{position:absolute;margin:0}
.flex-bubble{position:relative;max-width:100%;background:#fff;color:#111;border-radius:17px;overflow:hidden;line-height:1.4;display:flex;flex-direction:column}
.flex-one{max-width:100%}
.block{display:flex;flex-direction:column}.block>*{flex:none}
.block.header>.box{padding:20px}.block.body>.box{padding:20px}.block.footer>.box{padding:10px}
.block.body{flex:1}
.block.hero img{width:100%}
.letters{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.letters.wraps{white-space:pre-wrap;overflow-wrap:anywhere}
.picture img{display:block;max-width:100%}
.phone button.flex-button{width:100%;border:0;border-radius:8px;min-height:0;padding:0 10px;background:transparent;position:relative;z-index:1;font-size:16px;overflow:hidden;text-overflow:ellipsis;display:block}
.quick{display:flex;gap:6px;overflow-x:auto;padding:10px 0 2px;max-width:340px}
.phone button.chip{border-radius:999px;border:0;background:rgb(0 0 0/.45);color:#fff;min-height:32px;padding:3px 14px;flex:none}
.phone-input{display:flex;gap:8px;background:var(--bar);padding:8px 10px;margin:0}
.phone-input input{flex:1;min-width:0}
.menu{background:var(--bar);color:var(--bar-text)}
.menu summary{text-align:center;padding:8px;cursor:pointer;font-size:14px;border-top:1px solid rgb(128 128 128/.3)}
.menu-picture{position:relative}.menu-picture img{width:100%;height:100%;display:block}
.no-menu{background:var(--bar);margin:0;padding:8px;text-align:center}
.facts-of form{margin:0 0 8px}
@media (max-width:760px){.beside{grid-template-columns:minmax(0,1fr)}.phone{border-width:6px;border-radius:26px}}
`
