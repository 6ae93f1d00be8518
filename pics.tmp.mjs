import { chromium } from 'playwright-core'
const base='http://127.0.0.1:3650'
const what=process.argv[2]??'all'
const login=await (await fetch(base+'/api/auth/login',{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify({email:'demo@okaeri.test',password:'demo-password-123'})})).json()
const h={'content-type':'application/json',authorization:'Bearer '+login.access_token}
const post=async(p,b)=>{const r=await fetch(base+p,{method:'POST',headers:h,body:JSON.stringify(b)});const j=await r.json();if(!r.ok)console.log(p,r.status,JSON.stringify(j));return j}
const store='http://127.0.0.1:3651/stores/okaeri-sandbox.myshopify.com'
const html=`<html><body><p>{{ customer.greeting }}</p>
<p><a href="${store}">ストア</a> <a href="${store}/products/nothing-here">新作の器</a></p>
<p><a href="https://bit.ly/abc">短い</a> <a href="http://192.168.1.20/shop">社内</a></p>
<p><a href="${store}/discount/SPRNG10">クーポンを使う</a> <a href="https://example.test/{{ customer.last_name }}">あなただけ</a></p>
<img src="${store}/lost.png" alt="器">
<p>{{ sender.name }}<br>{{ store.name }}<br>{{ store.postal_address }}<br>{{ store.contact_email }}</p>
<p><a href="{{ unsubscribe_url }}">配信停止</a></p></body></html>`
const {email}=await post('/emails',{name:'春の便り',subject:'春の新作のご案内',content:html})
const {campaign}=await post('/campaigns',{name:'春のお知らせ',segment_type:'all',send_type:'immediate',email_id:email.id})
const b=await chromium.launch({executablePath:'/usr/bin/chromium-headless-shell'})
for(const [lang,scheme,w,hgt] of [['ja','light',1400,900],['en','dark',390,844],['en','light',1400,900]]){
 const c=await b.newContext({viewport:{width:w,height:hgt},colorScheme:scheme})
 const p=await c.newPage()
 await p.addInitScript(([l,t,s])=>{ if(!location.pathname.startsWith('/_app'))return; localStorage.setItem('language',l); localStorage.setItem('mantine-color-scheme-value',s)},[lang,login,scheme])
 await p.goto(base+'/_app/login'); await p.locator('input[type=email], input[name=email]').first().fill('demo@okaeri.test'); await p.locator('input[type=password]').first().fill('demo-password-123'); await p.keyboard.press('Enter'); await p.waitForURL(u=>!u.pathname.includes('login'))
 const shot=async(path,name)=>{await p.goto(base+'/_app'+path);await p.waitForTimeout(5000);await p.screenshot({path:`/tmp/pics-links/${name}-${lang}-${scheme}-${w}.png`,fullPage:true})}
 if(what==='all'||what==='review'){await shot(`/campaigns/${campaign.id}/review`,'review')}
 if(what==='all'||what==='links'){await shot(`/emails/${email.id}/links?campaign=${campaign.id}`,'links')}
 if(what==='all'||what==='editor'){await shot(`/emails/${email.id}/editor?line=4&campaign=${campaign.id}`,'editor')}
 await c.close()
}
await b.close()
