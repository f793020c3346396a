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
// The treemap is laid out again for another root or measure.
var map=d.getElementById('map'),find=d.getElementById('find');
if(map&&find){
var NS='http://www.w3.org/2000/svg',packed=false,root=null,hasPacked=all('g[data-z]',map).length>0,tops=kids(map);
function kids(g){return Array.prototype.filter.call(g.children,function(e){return e.tagName==='g'})}
function part(g,t){return Array.prototype.filter.call(g.children,function(e){return e.tagName===t})[0]}
function weight(g){var z=g.getAttribute('data-z');return packed&&z!==null?+z:+g.getAttribute('data-s')}
function worst(r,s){var sum=0,hi=0,lo=Infinity;r.forEach(function(a){sum+=a;hi=Math.max(hi,a);lo=Math.min(lo,a)});
return sum>0&&lo>0?Math.max(s*s*hi/(sum*sum),sum*sum/(s*s*lo)):Infinity}
function squarify(gs,x,y,w,h){gs=gs.slice().sort(function(a,b){return weight(b)-weight(a)});
var total=gs.reduce(function(s,g){return s+weight(g)},0),k=total>0?Math.max(0,w)*Math.max(0,h)/total:0,row=[],at=0;
function flush(){var sum=row.reduce(function(a,b){return a+b},0),wide=w>=h,side=wide?h:w,dep=side>0?Math.min(sum/side,wide?w:h):0,p=wide?y:x;
row.forEach(function(a){var l=dep>0?a/dep:0,g=gs[at++];if(wide)place(g,x,p,dep,l);else place(g,p,y,l,dep);p+=l});
if(wide){x+=dep;w=Math.max(0,w-dep)}else{y+=dep;h=Math.max(0,h-dep)}row=[]}
gs.forEach(function(g){var a=weight(g)*k,s=Math.min(w,h);if(row.length&&worst(row.concat([a]),s)>worst(row,s))flush();row.push(a)});flush()}
function name(g){return part(g,'title').textContent.split('\n')[0]}
function label(g,t,x,y,w,kind){var e=part(g,'text');if(!t){if(e)e.textContent='';return}
if(!e){e=d.createElementNS(NS,'text');g.insertBefore(e,kids(g)[0]||null)}e.setAttribute('class',kind);
var room=Math.max(0,Math.floor((w-6)/6.4));e.setAttribute('x',x+4);e.setAttribute('y',y);
e.textContent=t.length>room?t.slice(0,Math.max(0,room-1))+'\u2026':t}
function place(g,x,y,w,h){var c=kids(g),cl=g.getAttribute('class'),top=cl.charAt(0)==='g',leaf=cl==='f'||cl==='r',
m=top?1:leaf?0:.5,r=part(g,'rect'),head=top?20:14;x+=m;y+=m;w=Math.max(0,w-2*m);h=Math.max(0,h-2*m);
r.setAttribute('x',x);r.setAttribute('y',y);r.setAttribute('width',w);r.setAttribute('height',h);
if(leaf){var n=name(g);label(g,w>60&&h>16?(cl==='f'?n.slice(n.lastIndexOf('/')+1):n):'',x,y+12,w,'l');return}
var has=w>60&&h>head*2,q=name(g);if(cl==='d')q=q.slice(q.lastIndexOf('/')+1);
var ws=q+' \u00b7 '+size(weight(g));label(g,has?(ws.length*6.4>w-6?q:ws):'',x,y+head-5,w,'t');
var o=has?head-1:0;squarify(c,x+1,y+1+o,w-2,h-2-o)}
function inside(g){return!root||g===root||root.contains(g)||g.contains(root)}
function show(){all('g',map).forEach(function(g){g.removeAttribute('role');g.removeAttribute('tabindex')});
var narrow=map.parentNode.clientWidth<620,W=narrow?Math.max(240,map.parentNode.clientWidth):1000,H=narrow?620:560;map.style.minWidth=narrow?'0':'';map.setAttribute('viewBox','0 0 '+W+' '+H);
tops.forEach(function(g){g.style.display=inside(g)?'':'none'});all('.k,.d',map).forEach(function(g){g.style.display=inside(g)?'':'none'});
all('g.f,g.r',map).forEach(function(g){g.style.display=inside(g)?'':'none'});
if(root){var p=root.parentNode;while(p!==map){['rect','text'].forEach(function(t){var e=part(p,t);if(e){e.setAttribute('width',0);if(t==='text')e.textContent=''}});p=p.parentNode}place(root,0,0,W,H)}else squarify(tops,0,0,W,H);
(root?kids(root):tops.concat(all('.k',map))).filter(function(g){return kids(g).length}).slice(0,80).forEach(function(g){
g.setAttribute('role','button');g.setAttribute('tabindex','0');g.setAttribute('aria-label','zoom into '+name(g)+', '+size(weight(g)))});
back.hidden=!root}
var box=make('input','',find);box.type='search';box.placeholder='Search files';box.setAttribute('aria-label','Search files');
var out=make('output','',find);out.setAttribute('aria-live','polite');
var pk=make('button','Areas: packed',find);pk.type='button';pk.hidden=!hasPacked;pk.setAttribute('aria-pressed','false');
var back=make('button','Zoom out',find);back.type='button';
pk.addEventListener('click',function(){packed=!packed;pk.setAttribute('aria-pressed',String(packed));show()});
back.addEventListener('click',function(){var p=root&&root.parentNode;root=p&&p!==map?p:null;show()});
function zoom(t){var g=t.closest('g');while(g&&!g.hasAttribute('role')&&g.parentNode!==map)g=g.parentNode.closest?g.parentNode.closest('g'):null;
if(g&&g.hasAttribute('role')&&g!==root){root=g;show();return true}}
map.addEventListener('click',function(e){if(e.target.closest)zoom(e.target)});
map.addEventListener('keydown',function(e){if(e.key==='Enter'||e.key===' '){if(zoom(e.target)){e.preventDefault();back.focus()}}});
d.addEventListener('keydown',function(e){if(e.key==='Escape'&&root)back.click()});
var files=all('g.f',map).map(function(g){var z=g.getAttribute('data-z');return{g:g,n:name(g).toLowerCase(),s:+g.getAttribute('data-s'),z:z===null?null:+z}}),
rest=all('g.r',map),rows=all('tr.file').map(function(r){return{r:r,n:r.cells[0].textContent.toLowerCase()}});
box.addEventListener('input',function(){var q=box.value.toLowerCase(),n=0,s=0,z=0;
files.forEach(function(f){var hit=!q||f.n.indexOf(q)>=0;if(q&&hit){n++;s+=f.s;z=f.z===null||z===null?null:z+f.z}f.g.classList.toggle('dim',!hit)});
rest.forEach(function(g){g.classList.toggle('dim',!!q)});rows.forEach(function(f){f.r.hidden=!!q&&f.n.indexOf(q)<0});
out.textContent=q?many(n,'file')+', '+size(s)+(z!==null&&hasPacked?', packed '+size(z):'')+(rest.length?' of '+group(files.length)+' drawn one by one':''):'';
out.setAttribute('data-n',n);out.setAttribute('data-v',s);out.setAttribute('data-z',z===null?'':z)});
show();var wide=map.parentNode.clientWidth<620;addEventListener('resize',function(){var w=map.parentNode.clientWidth<620;if(w!==wide){wide=w;show()}})}
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
res.textContent=k?many(k,'tag')+': '+many(n,'pack')+', '+size(s)+(z===null?'':', packed '+size(z))+(an?'; '+group(an)+' of them, '+size(as)+', have other tags too and come along by sharing (dashed)':''):'Choose tags to see what requests for them download.';
res.setAttribute('data-n',n);res.setAttribute('data-v',s);res.setAttribute('data-along',as)}}
})();
