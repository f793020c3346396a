(function(){'use strict';
var d=document;
function all(s,e){return Array.prototype.slice.call((e||d).querySelectorAll(s))}
function make(n,t,p){var e=d.createElement(n);if(t)e.textContent=t;if(p)p.appendChild(e);return e}
function group(n){return String(n).replace(/\B(?=(\d{3})+$)/g,',')}
function size(b){if(b<1000)return b+(b===1?' byte':' bytes');var u=['kB','MB','GB','TB'],i=0,s=1000;
while(i<3&&b>=s*1000-s/2){i++;s*=1000}var v=b/s;
return(v<9.995?v.toFixed(2):v<99.95?v.toFixed(1):group(Math.round(v)))+' '+u[i]}
function many(n,w){return group(n)+' '+w+(n===1?'':'s')}
// Tables are sorted by their headings.
all('table.sort').forEach(function(t){all('thead th',t).forEach(function(h,c){
var b=d.createElement('button');b.type='button';b.textContent=h.textContent;h.textContent='';h.appendChild(b);
b.addEventListener('click',function(){var up=h.getAttribute('aria-sort')==='descending',n=false,body=t.tBodies[0];
function key(r){var e=r.cells[c],v=e&&e.getAttribute('data-v');if(v!==null&&v!==undefined){n=true;return+v}return e?e.textContent:''}
var rows=all('tr',body).map(function(r,i){return[key(r),i,r]}),dir=up?1:-1;if(!n&&!h.hasAttribute('aria-sort'))dir=1;
rows.sort(function(a,b){var x=a[0],y=b[0];if(n){x=x===''||typeof x!=='number'?-1:x;y=y===''||typeof y!=='number'?-1:y}
return(x<y?-1:x>y?1:0)*dir||a[1]-b[1]});
rows.forEach(function(r){body.appendChild(r[2])});
all('thead th',t).forEach(function(o){o.removeAttribute('aria-sort')});
h.setAttribute('aria-sort',dir>0?'ascending':'descending')})})});
// The treemap is drawn again of the list of all files, as far as their areas can be seen.
var map=d.getElementById('map'),find=d.getElementById('find'),list=d.getElementById('all');
if(map&&find&&list&&window.DecompressionStream){
var bytes=Uint8Array.from(atob(list.content.textContent),function(c){return c.charCodeAt(0)});
new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text().then(treemap)}
function treemap(text){
var NS='http://www.w3.org/2000/svg',packed=false,hasPacked=false,left=false,top={c:[]},root=top,at=[top],files=[],colors={},least,stops;
all('.g',map).forEach(function(e){colors[e.getAttribute('class').slice(2)]=e.getAttribute('fill')});
text.split('\n').forEach(function(l){var up=at[l[0]-1];if(!up)return;
var f=l.slice(2).split('\x1f'),g={k:l[1],s:+f[0],z:f[1]?+f[1]:null,n:f[2],t:f[3],c:[],p:up};
if(g.k==='f'){if(up.n!=='.')g.n=up.n+'/'+g.n;g.q=g.n.toLowerCase();files.push(g)}
left=left||g.k==='r';hasPacked=hasPacked||g.z!==null;up.c.push(g);at[l[0]]=g});
// The only folder of a pack says nothing.
function flat(g){if(g.c.length===1&&g.c[0].k==='d'){g.c=g.c[0].c;g.c.forEach(function(a){a.p=g})}else g.c.forEach(flat)}
flat(top);
function weight(g){return packed&&g.z!==null?g.z:g.s}
function sum(c,p){var r={k:'r',s:0,z:0,n:group(c.length)+' smaller items',c:c,p:p};
c.forEach(function(a){r.s+=a.s;r.z=r.z===null||a.z===null?null:r.z+a.z});return r}
function heavier(a,b){return weight(b)-weight(a)}
function worst(r,s){var sum=0,hi=0,lo=Infinity;r.forEach(function(a){sum+=a;hi=Math.max(hi,a);lo=Math.min(lo,a)});
return sum>0&&lo>0?Math.max(s*s*hi/(sum*sum),sum*sum/(s*s*lo)):Infinity}
function squarify(p,into,x,y,w,h){w=Math.max(0,w);h=Math.max(0,h);
var gs=p.c.slice().sort(heavier),total=gs.reduce(function(s,g){return s+weight(g)},0),k=total>0?w*h/total:0,n=gs.length,row=[],at=0;
while(n&&weight(gs[n-1])*k<least)n--;
if(n<gs.length-1)gs=gs.slice(0,n).concat(sum(gs.slice(n),p)).sort(heavier);
function flush(){var sum=row.reduce(function(a,b){return a+b},0),wide=w>=h,side=wide?h:w,dep=side>0?Math.min(sum/side,wide?w:h):0,q=wide?y:x;
row.forEach(function(a){var l=dep>0?a/dep:0,g=gs[at++];if(wide)place(g,into,x,q,dep,l);else place(g,into,q,y,l,dep);q+=l});
if(wide){x+=dep;w=Math.max(0,w-dep)}else{y+=dep;h=Math.max(0,h-dep)}row=[]}
gs.forEach(function(g){var a=weight(g)*k,s=Math.min(w,h);if(row.length&&worst(row.concat([a]),s)>worst(row,s))flush();row.push(a)});flush()}
function el(n,p,a){var e=d.createElementNS(NS,n);for(var k in a)e.setAttribute(k,a[k]);p.appendChild(e);return e}
function label(e,t,x,y,w,kind,ink){var room=Math.max(0,Math.floor((w-6)/6.4));
el('text',e,{'class':kind,x:x+4,y:y,fill:ink}).textContent=t.length>room?t.slice(0,Math.max(0,room-1))+'\u2026':t}
function tint(g){while(!colors[g.k])g=g.p;return g.k}
function place(g,into,x,y,w,h){
var c=colors[g.k],leaf=g.k==='f'||g.k==='r',m=c?1:leaf?0:.5,head=c?20:14;x+=m;y+=m;w=Math.max(0,w-2*m);h=Math.max(0,h-2*m);
var e=el('g',into,{'class':c?'g '+g.k:g.k}),full=leaf&&g!==root||!g.c.length||w*h<least,q=leaf||g.k==='d'?g.n.slice(g.n.lastIndexOf('/')+1):g.n,r={x:x,y:y,width:w,height:h};
e.node=g;if(c)e.setAttribute('fill',c);if(leaf){r.stroke='#fff';r['stroke-width']=.6}if(!full)r['fill-opacity']=.25;
el('title',e).textContent=g.n+'\n'+size(g.s)+(g.z===null?'':', packed '+size(g.z))+(g.t?'\n'+g.t:'');el('rect',e,r);
if(g.c.length&&g!==root&&(g.p===root||root===top&&g.p.p===top)){e.setAttribute('role','button');e.setAttribute('aria-label','zoom into '+q+', '+size(weight(g)));
if(stops-->0)e.setAttribute('tabindex','0')}
if(leaf&&full){if(w>60&&h>16)label(e,q,x,y+12,w,'l',tint(g)==='i'?'#fff':'#111');return}
var has=w>60&&h>head*2,ws=q+' \u00b7 '+size(weight(g));if(has)label(e,ws.length*6.4>w-6?q:ws,x,y+head-5,w,'t','#111');
if(!full)squarify(g,e,x+1,y+(has?head:1),w-2,h-(has?head+1:2))}
function show(){var room=map.parentNode.clientWidth,W=room<840?Math.max(240,room):1000,H=room<620?620:560;
map.style.minWidth='0';map.setAttribute('viewBox','0 0 '+W+' '+H);map.textContent='';stops=80;least=W*H/(root===top?1500:140000);
if(root===top)squarify(top,map,0,0,W,H);else{var k=tint(root);place(root,colors[root.k]?map:el('g',map,{'class':k,fill:colors[k]}),0,0,W,H)}
back.hidden=root===top;search()}
function zoom(g){root=g;show()}
var box=make('input','',find);box.type='search';box.placeholder='Search files';box.setAttribute('aria-label','Search files');
var out=make('output','',find);out.setAttribute('aria-live','polite');
var pk=make('button','Show compressed sizes',find);pk.type='button';pk.hidden=!hasPacked;
var back=make('button','Zoom out',find);back.type='button';
var hits=make('ul','',find),rows=all('tr.file').map(function(r){return{r:r,n:r.cells[0].textContent.toLowerCase()}});
pk.addEventListener('click',function(){packed=!packed;pk.textContent='Show '+(packed?'un':'')+'compressed sizes';show()});
back.addEventListener('click',function(){zoom(root.p)});
map.addEventListener('click',function(e){var g=e.target.closest('[role=button]');if(g)zoom(g.node)});
map.addEventListener('keydown',function(e){if((e.key==='Enter'||e.key===' ')&&e.target.node){e.preventDefault();zoom(e.target.node);back.focus()}});
d.addEventListener('keydown',function(e){if(e.key==='Escape'&&root!==top)back.click()});
function isHit(g){return g.k==='f'?g.hit:g.c.some(isHit)}
function search(){var q=box.value.toLowerCase(),n=0,s=0,z=0;hits.textContent='';
files.forEach(function(f){f.hit=!q||f.q.indexOf(q)>=0;if(!q||!f.hit)return;s+=f.s;z=f.z===null||z===null?null:z+f.z;if(n++>9)return;
var up=f.p.k==='d'?f.p.p:f.p,b=make('button',f.n+', '+size(f.s)+', in '+up.n,make('li','',hits));b.type='button';b.addEventListener('click',function(){zoom(up)})});
if(n>10)make('li','and '+group(n-10)+' more',hits);
all('g',map).forEach(function(e){if(e.node&&!e.querySelector('g')){var h=isHit(e.node);e.classList.toggle('dim',!!q&&!h);e.classList.toggle('hit',!!q&&h)}});
rows.forEach(function(f){f.r.hidden=!!q&&f.n.indexOf(q)<0});
out.textContent=q?many(n,'file')+', '+size(s)+(z!==null&&hasPacked?', compressed '+size(z):'')+(left?' of '+group(files.length)+' listed':''):'';
out.setAttribute('data-n',n);out.setAttribute('data-v',s);out.setAttribute('data-z',z===null?'':z)}
box.addEventListener('input',search);
show();addEventListener('resize',function(){if(map.parentNode.clientWidth<840||map.viewBox.baseVal.width<840)show()})}
// Chosen tags light up their packs.
var mx=d.querySelector('table.matrix'),pane=d.getElementById('choice');
if(mx&&pane&&mx.getAttribute('data-p')){
var packs=mx.getAttribute('data-p').split(';').filter(Boolean).map(function(p){var f=p.split(' ');return{s:+f[0],z:f[1]==='-'?null:+f[1],t:f.slice(2)}});
var heads=all('thead th',mx),res=make('output','Choose tags to see what requests for them download.',pane);res.setAttribute('aria-live','polite');
var boxes=all('tbody tr',mx).map(function(r){var h=r.cells[0],l=d.createElement('label'),b=d.createElement('input');b.type='checkbox';
l.appendChild(b);l.appendChild(d.createTextNode(' '+h.textContent));h.textContent='';h.appendChild(l);b.addEventListener('change',choose);return{b:b,t:r.getAttribute('data-t')}});
function choose(){var on={},k=0;boxes.forEach(function(x){if(x.b.checked){on[x.t]=1;k++}});
var n=0,s=0,z=0,an=0,as=0,state={};packs.forEach(function(p,i){var has=p.t.filter(function(t){return on[t]}).length;if(!has)return;
n++;s+=p.s;z=z===null||p.z===null?null:z+p.z;var along=has<p.t.length;if(along){an++;as+=p.s}state[i]=along?'along':'on'});
heads.forEach(function(h){var key=h.getAttribute('data-k');if(key===null)return;h.classList.remove('on','along');if(state[key])h.classList.add(state[key])});
res.textContent=k?many(k,'tag')+': '+many(n,'pack')+', '+size(s)+(z===null?'':', compressed '+size(z))+(an?'; '+group(an)+' of these packs, '+size(as)+', also have other tags (dashed)':''):'Choose tags to see what requests for them download.';
res.setAttribute('data-n',n);res.setAttribute('data-v',s);res.setAttribute('data-along',as)}}
})();
