(function(){'use strict';
var t=document.getElementById('tags'),s=document.getElementById('state');
function size(b){if(b<1000)return b+(b===1?' byte':' bytes');var u=['kB','MB','GB','TB'],i=0,v=b/1000;
while(i<3&&v>=999.5){i++;v/=1000}return(v<9.995?v.toFixed(2):v<99.95?v.toFixed(1):Math.round(v))+' '+u[i]}
var e=new EventSource(t.getAttribute('data-events'));
e.onopen=function(){s.textContent='live'};
e.onerror=function(){s.textContent='the server does not answer; the figures may be out of date'};
e.onmessage=function(m){var d=JSON.parse(m.data);
if(d.release!==t.getAttribute('data-release')){e.close();location.reload();return}
d.fetched.forEach(function(b,i){var r=t.tBodies[0].rows[i];if(!r)return;
r.cells[3].textContent=size(b);r.cells[4].firstElementChild.value=b})};
})();
