/**
 * The one style of the page. Colours are variables, so that light and dark differ in one block each; every pair of text and
 * ground has a contrast of 4.5 at least. Nothing moves, so there is nothing to reduce.
 */
export const STYLE: string = `
:root{color-scheme:light dark;--bg:#f7f7f5;--card:#fff;--ink:#1b1f24;--dim:#59626d;--line:#dfe2e5;--soft:#f0f1ef;--link:#0b57a4;--ok:#14692d;--bad:#a8231b;--warn:#7d4e00;--made:#553fa6;--was:#fdecea;--is:#e6f4e9;--focus:#0b57a4;
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;--sans:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","DejaVu Sans",sans-serif}
@media (prefers-color-scheme:dark){:root{--bg:#121518;--card:#1a1e23;--ink:#e4e7ea;--dim:#9ba6b1;--line:#2d343c;--soft:#20262c;--link:#84bcff;--ok:#74d08f;--bad:#ff938a;--warn:#e9ba5f;--made:#b9aaff;--was:#3a2020;--is:#173020;--focus:#84bcff}}
*{box-sizing:border-box}
html{scroll-padding-top:12px;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--ink);font:14px/1.5 var(--sans);overflow-wrap:anywhere}
a{color:var(--link);text-underline-offset:2px;text-decoration-thickness:1px}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:2px}
h1,h2,h3,h4,p,ul,ol,dl,dd,pre{margin:0;padding:0}
ul,ol{list-style:none}
h1{font-size:26px;line-height:1.2;font-weight:650;letter-spacing:-.015em}
h2{font-size:19px;line-height:1.3;font-weight:650;letter-spacing:-.01em;margin-bottom:4px}
h3{font-size:14px;font-weight:650;display:inline}
h4{font-size:12px;font-weight:600;margin:14px 0 4px;padding:0 8px}
code,.code,pre,td.was,td.is{font-family:var(--mono);font-size:12.5px}
.code{font-weight:600;white-space:nowrap}
.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-999px}.skip:focus{left:12px;top:8px;background:var(--card);padding:6px 10px;z-index:9}
.meta,.sub,.lead,.place{color:var(--dim);font-weight:400}
.meta{font-size:12.5px}
.lead{max-width:72ch;margin-bottom:14px}
.frame{display:grid;grid-template-columns:248px minmax(0,1fr);max-width:1680px;margin:0 auto}
.side{position:sticky;top:0;height:100vh;overflow-y:auto;padding:28px 16px 28px 24px;border-right:1px solid var(--line);font-size:13px}
.side a{color:var(--ink);text-decoration:none;display:inline-block;padding:3px 0;min-height:24px}
.side a:hover{color:var(--link);text-decoration:underline}
.sections{font-weight:550;margin-bottom:22px}
.side-h{font-size:12px;color:var(--dim);font-weight:600;letter-spacing:0;margin-bottom:6px}
.column{padding:28px 32px 80px;min-width:0}
.brand{font-size:12.5px;font-weight:600;color:var(--dim);margin-bottom:6px}
.sub{font-size:14px;margin:4px 0 18px}
.counts{display:flex;flex-wrap:wrap;gap:8px;margin-bottom:14px}
.counts li>*{display:block;min-width:92px;padding:8px 14px 9px;border:1px solid var(--line);border-radius:8px;background:var(--card);color:inherit;text-decoration:none}
.counts a:hover{border-color:var(--link)}
.counts b{display:block;font-size:21px;line-height:1.2;font-weight:600;font-variant-numeric:tabular-nums;letter-spacing:-.01em}
.counts .w{font-size:12.5px;color:var(--dim)}.counts i{font-style:normal}
.counts .none>*{background:none}.counts .none b{font-weight:400;color:var(--dim)}
.counts .projected i{color:var(--ok)}.counts .made i{color:var(--made)}.counts .refused b,.counts .refused i{color:var(--bad)}.counts .held b,.counts .held i,.counts .warning b,.counts .warning i{color:var(--warn)}
.verdict{max-width:92ch}
.frozen{border-left:3px solid var(--bad);padding:6px 12px;margin:8px 0;background:var(--was)}
section{margin-top:44px}
.b{display:inline-block;font-size:12px;line-height:18px;font-weight:550;white-space:nowrap;color:var(--dim)}
.b.projected,.state.enforced{color:var(--ok)}.b.made{color:var(--made)}.b.refused,.b.error,.state.notEnforced{color:var(--bad)}.b.held,.b.warning,.state.unknown{color:var(--warn)}
.do{color:var(--ok)}
.do b{font-weight:600}
.code-group{padding:12px 0 14px;border-top:1px solid var(--line)}
.said+.code-group,.lead+.code-group{margin-top:14px}
.code-group>.do{margin:2px 0 6px;max-width:110ch}
.said li{padding:3px 0 3px 14px;border-left:2px solid var(--line);margin-top:4px}
.said .place{font-size:12px}
.cause{padding:16px 0 18px;border-top:1px solid var(--line);margin-top:18px}
.cause>h3{font-size:15px}
.cards>li{border:1px solid var(--line);border-radius:8px;background:var(--card);padding:8px 12px 9px;margin-top:8px}
.cards>li.removed{border-left:3px solid var(--bad)}.cards>li.added{border-left:3px solid var(--ok)}
.cards .b{margin-left:6px}
.fields{margin:4px 0;font-size:12.5px}
.fields>div{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1.4fr);gap:0 16px;padding:2px 0}
.fields dt code{color:var(--dim)}
del,ins{text-decoration:none;color:var(--ink);border-radius:3px;padding:0 4px;-webkit-box-decoration-break:clone;box-decoration-break:clone}
del{background:var(--was)}ins{background:var(--is)}
del::before{content:"−\\a0"}ins::before{content:"+\\a0"}
.sign{font-family:var(--mono);color:var(--dim)}
summary{cursor:pointer;min-height:24px}
.fold>summary{color:var(--link);font-size:12.5px;padding:3px 0}
.tools{margin:0 0 12px}
input{font:inherit;font-size:13px;color:inherit;background:var(--card);border:1px solid #858d96;border-radius:6px;padding:4px 8px;min-height:28px;max-width:100%}
.side input{width:100%}
.scroll{position:relative;overflow-x:auto;border:1px solid var(--line);border-radius:8px;background:var(--card)}
table{border-collapse:collapse}
.list{width:100%;font-size:13px}
.list th,.list td{text-align:left;vertical-align:top;padding:6px 12px;border-top:1px solid var(--line);font-weight:400;min-width:88px}
.list td:last-child{min-width:260px}
.list thead th{border-top:0;font-size:12px;font-weight:600;color:var(--dim);white-space:nowrap}
.list .num{font-variant-numeric:tabular-nums}
.near{margin-top:3px}.near li{font-size:12.5px;color:var(--dim)}.near .do{color:var(--ok)}.near b{font-weight:600}
.list.counted td,.list.counted th{min-width:0}.list.counted td:last-child{min-width:0}.list.counted tbody th{min-width:120px}.num.refused{color:var(--bad);font-weight:600}.num.held{color:var(--warn);font-weight:600}.counted th.num,.counted td.num{text-align:right}.after{margin-top:12px}.back{margin-bottom:14px;font-weight:550}.parts{margin-top:44px;font-size:13px}.parts+section{margin-top:20px}
.state{white-space:nowrap}
.legend{display:flex;flex-wrap:wrap;gap:4px 22px;font-size:12.5px;color:var(--dim);margin-bottom:12px}
.legend b{font-weight:600;color:var(--ink)}
.matrix{font-size:12.5px}
.matrix thead th{padding:0;min-width:30px;font-weight:400;text-align:left;vertical-align:bottom;border-left:1px solid var(--soft)}
.matrix .of{padding:6px 8px;white-space:nowrap;font-size:12px;font-weight:600;color:var(--dim);border-left:1px solid var(--line)}
.matrix .name{height:1px}
.matrix .name span{display:block;writing-mode:vertical-rl;transform:rotate(180deg);margin:0 auto;padding:8px 0;line-height:30px;white-space:nowrap;font-family:var(--mono);font-size:11.5px}
.matrix thead .corner{padding:10px 12px;font-weight:600;color:var(--dim)}
.matrix tbody th,.matrix .corner{position:sticky;left:0;background:var(--card);text-align:left;font-weight:500;padding:7px 14px;min-width:150px;max-width:320px;border-right:1px solid var(--line)}
.matrix tbody th{border-top:1px solid var(--line)}
.matrix .t{display:block}.matrix .meta{font-size:12px}
.cell{text-align:center;border-top:1px solid var(--line);border-left:1px solid var(--soft);min-width:30px;font-size:13px}
.legend .cell{border:0}
.cell.enforced{color:var(--ok)}.cell.notEnforced{color:var(--bad);background:var(--was);font-weight:700}.cell.unknown{color:var(--warn);background:var(--soft);font-weight:700}.cell.notDeclared{color:var(--dim)}
.table-h{display:block;margin:14px 0 6px}
.reach td,.reach th{min-width:0;white-space:nowrap}.reach .no{color:var(--dim)}.reach .yes{color:var(--ok);font-weight:600}.reach .maybe{color:var(--warn);font-weight:600}.list.reach td:last-child{min-width:0}
.tenant{border:1px solid var(--line);border-radius:8px;background:var(--card);margin-bottom:8px;padding:0 12px}
.tenant>summary{padding:9px 4px;margin:0 -4px}
.tenant[open]{padding-bottom:12px}
.o{border-top:1px solid var(--line)}
.o>summary{display:grid;grid-template-columns:164px minmax(0,1fr) minmax(0,1.3fr) auto;gap:0 14px;padding:4px 8px;align-items:baseline;list-style:none}
.o>summary::-webkit-details-marker{display:none}
.o>summary:hover{background:var(--soft)}
.o[open]>summary{background:var(--soft);font-weight:600}
.o i,.o em{font-style:normal}
.o>summary i{color:var(--dim);font-size:12.5px;font-weight:400}
.o>summary b{font:inherit;font-family:var(--mono);font-size:12.5px}
.o>summary code{color:var(--dim)}
.o>summary em{text-align:right;font-size:12px;font-weight:400;white-space:nowrap}
.o>summary u{text-decoration:none;color:var(--warn);font-weight:550;margin-right:6px}
.projected>summary em{color:var(--ok)}.made>summary em{color:var(--made)}.refused>summary em{color:var(--bad);font-weight:600}.held>summary em{color:var(--warn);font-weight:600}.outOfScope>summary em,.read>summary em,.removed>summary em{color:var(--dim)}
.page{padding:12px 8px 18px}
.page>*{margin-bottom:10px}
.page>p{max-width:110ch}
.lineage{display:flex;flex-wrap:wrap;gap:8px 26px}
.lineage li{position:relative;border:1px solid var(--line);border-radius:8px;padding:5px 11px 7px;background:var(--bg);max-width:100%}
.lineage li:not(:last-child)::before{content:"";position:absolute;right:-20px;top:50%;width:13px;height:1px;background:var(--dim)}
.lineage li:not(:last-child)::after{content:"";position:absolute;right:-20px;top:calc(50% - 2.5px);width:5px;height:5px;border:solid var(--dim);border-width:1px 1px 0 0;transform:rotate(45deg)}
.lineage b{display:block;font-size:11.5px;font-weight:500;color:var(--dim)}
.lineage code{display:block}
.notes li{font-size:13px;padding:1px 0}
.notes .warning .code,.notes .error .code{color:var(--warn)}
.sides{border:1px solid var(--line);border-radius:8px;overflow:hidden}
.heads{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr) 150px;font-size:12px;font-weight:600;color:var(--dim);background:var(--soft)}
.heads span{padding:5px 10px}
pre{white-space:pre-wrap;font-size:12.5px;line-height:1.5}
pre.same{color:var(--dim);padding:0 10px}
.sides .fold>summary{padding:0 10px;font-size:12px}
.diff{width:100%;table-layout:fixed}
.diff td{vertical-align:top;padding:0 10px;white-space:pre-wrap;line-height:1.5}
.diff .why{width:150px}
.diff .by{border-left:1px solid var(--line)}
.diff .was{background:var(--was)}.diff .is{background:var(--is)}
.chip{display:inline-block;white-space:nowrap;font:12px/18px var(--sans);padding:1px 8px;margin:1px 0;border:1px solid var(--line);border-radius:10px;background:var(--card);text-decoration:none;min-height:22px}
.chip:hover{border-color:var(--link)}
.trace>summary{font-size:12.5px;color:var(--link)}
.checks li{font-size:12.5px;padding:2px 0}
.checks b{font-weight:600}.checks code{color:var(--dim);font-size:12px}
.checks .Blocked b{color:var(--bad)}.checks .Undecided b{color:var(--warn)}
.rewrites{display:grid;grid-template-columns:180px minmax(0,1fr);gap:3px 14px;font-size:13px;margin-top:8px}
.rewrites dt:target{outline:2px solid var(--focus);outline-offset:2px}
.paths{display:block}.paths code{color:var(--dim);font-size:12px}
.hint{border-left:3px solid var(--warn);padding:6px 12px;background:var(--soft);margin-bottom:12px}
.all,.only{display:none}
.off{display:none!important}
${onlyRules(['projected', 'made', 'refused', 'held', 'outOfScope', 'read', 'removed'])}
@media (max-width:960px){.frame{display:block}.side{position:static;height:auto;border-right:0;border-bottom:1px solid var(--line);padding:16px}.sections{display:flex;flex-wrap:wrap;gap:0 16px;margin:0}.side-h,.side .tools,.tenants{display:none}.back{margin:0 0 6px}.column{padding:20px 16px 60px}}
@media (max-width:640px){h1{font-size:22px}.fields>div{display:block;padding:4px 0 5px}.fields>div+div{border-top:1px solid var(--soft)}.fields dt{margin-bottom:2px}.fields del,.fields ins,.values del,.values ins{display:table;margin-top:2px}.cards>li{padding:8px 10px}.cards .b{margin:0 8px 0 0}.said .values{display:block}.stacked thead{display:none}.stacked,.stacked tbody,.stacked tr,.stacked th,.stacked td{display:block;min-width:0;width:auto}.stacked tr{padding:8px 12px;border-top:1px solid var(--line)}.stacked tr:first-child{border-top:0}.list.stacked th,.list.stacked td{padding:0;border:0;min-width:0}.list.stacked th{font-weight:550}.list.stacked td:nth-child(2),.list.stacked td:nth-child(3){display:inline-block;margin-right:10px;color:var(--dim)}.counts{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:6px}.counts li>*{min-width:0;padding:7px 10px}.o>summary{grid-template-columns:minmax(0,1fr) auto;padding:6px 4px}.o>summary i{grid-column:1}.o>summary em{grid-column:2;grid-row:1}.o>summary b,.o>summary code{grid-column:1/-1}.o>summary code:empty{display:none}.heads{display:none}.diff,.diff tbody,.diff tr,.diff td{display:block;width:auto}.diff td:empty{display:none}.diff .by{border:0;padding:2px 10px 5px}.diff .was .vh,.diff .is .vh{position:static;width:auto;height:auto;clip-path:none}.rewrites{display:block}.matrix tbody th,.matrix .corner{min-width:112px;max-width:128px;padding:7px 10px}.lineage{flex-direction:column;gap:16px}.lineage li:not(:last-child)::before{right:auto;left:18px;top:calc(100% + 4px);width:1px;height:9px}.lineage li:not(:last-child)::after{right:auto;left:16px;top:calc(100% + 7px);transform:rotate(135deg)}}
@media print{:root{color-scheme:light;--bg:#fff;--card:#fff;--ink:#000;--dim:#444;--line:#bbb;--soft:#f3f3f3;--link:#000;--ok:#14692d;--bad:#a8231b;--warn:#7d4e00;--made:#553fa6;--was:#fdecea;--is:#e6f4e9}body{font-size:10pt}.side,.tools,.skip,.all{display:none}.frame{display:block}.column{padding:0}.scroll{overflow:visible}.tenant::details-content,.fold::details-content{content-visibility:visible;display:block;height:auto}.o,.code-group,.cards>li,tr{break-inside:avoid}h2,h3,h4{break-after:avoid}}
`;

/** `#only-refused` in the address shows those objects alone: a filter that needs no script. */
function onlyRules(outcomes: readonly string[]): string {
  const each = [...outcomes, 'warned'].map((name) => `main:has(#only-${name}:target) .o:not(.${name})`);
  const tenants = [...outcomes, 'warned'].map((name) => `main:has(#only-${name}:target) .tenant:not(:has(.o.${name}))`);
  const groups = `main:has(.only:target) .tenant h4{display:none}main:has(.only:target) .all{display:block;margin-bottom:12px}`;
  return `${[...each, ...tenants].join(',')}{display:none}main .only:target{display:block}${groups}main:has(.only:target) .tenant::details-content{content-visibility:visible;display:block;height:auto}`;
}
