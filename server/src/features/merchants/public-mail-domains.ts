/**
 * Domains at which anyone can get an address: no merchant's own, so never a sender's (spec §5). The best-known ones of Japan first,
 * then of the world. Families with a country ending (`yahoo.*`, `hotmail.*`) are matched by name below.
 */
const DOMAINS = new Set(
  `
  docomo.ne.jp ezweb.ne.jp ezweb.jp au.com auone.jp uqmobile.jp dion.ne.jp softbank.ne.jp i.softbank.jp vodafone.ne.jp
  jp-t.ne.jp jp-d.ne.jp jp-h.ne.jp jp-c.ne.jp jp-r.ne.jp jp-k.ne.jp jp-n.ne.jp jp-s.ne.jp jp-q.ne.jp d.vodafone.ne.jp
  h.vodafone.ne.jp t.vodafone.ne.jp c.vodafone.ne.jp k.vodafone.ne.jp r.vodafone.ne.jp n.vodafone.ne.jp s.vodafone.ne.jp
  q.vodafone.ne.jp disney.ne.jp disneymobile.ne.jp ymobile.ne.jp ymobile1.ne.jp y-mobile.ne.jp yahoo.ne.jp emobile.ne.jp
  emobile-s.ne.jp emnet.ne.jp willcom.com pdx.ne.jp wcm.ne.jp rakumail.jp rakuten.jp mineo.jp ybb.ne.jp ymail.ne.jp
  outlook.jp live.jp excite.co.jp goo.jp goo.ne.jp mail.goo.ne.jp line.me infoseek.jp infoseek.ne.jp livedoor.com
  nifty.com nifty.ne.jp biglobe.ne.jp biglobe.jp ocn.ne.jp ocn.jp plala.or.jp so-net.ne.jp eonet.ne.jp asahi-net.or.jp
  jcom.home.ne.jp jcom.zaq.ne.jp jcom.ne.jp zaq.ne.jp zaq.jp commufa.jp tiki.ne.jp infoweb.ne.jp dti.ne.jp hi-ho.ne.jp
  odn.ne.jp odn.jp wakwak.com mbn.or.jp sannet.ne.jp justnet.ne.jp dream.jp kcn.ne.jp iij4u.or.jp bekkoame.ne.jp
  interlink.or.jp ctt.ne.jp coara.or.jp mopera.net mopera.ne.jp dwmail.jp spmode.ne.jp inter7.jp mail-box.jp freemail.ne.jp
  k3.dion.ne.jp aol.jp zoho.jp in.com ac.auone-net.jp auone-net.jp i.bekkoame.ne.jp quolia.ne.jp ezweb.com

  gmail.com googlemail.com google.com icloud.com me.com mac.com outlook.com msn.com live.com passport.com windowslive.com
  hotmail.com yahoo.com ymail.com rocketmail.com aol.com aim.com love.com games.com wow.com ygm.com netscape.net
  proton.me protonmail.com protonmail.ch pm.me tutanota.com tutanota.de tutamail.com tuta.io tuta.com keemail.me
  zoho.com zohomail.com zohomail.eu zohomail.in fastmail.com fastmail.fm fastmail.net fastmail.org sent.com hey.com
  hushmail.com hush.com hush.ai safe-mail.net mail.com email.com usa.com post.com europe.com asia.com iname.com
  writeme.com dr.com engineer.com cheerful.com consultant.com myself.com techie.com contractor.net accountant.com
  activist.com adexec.com allergist.com alumni.com archaeologist.com bartender.net brew-master.com chef.net
  comic.com counsellor.com deliveryman.com diplomats.com execs.com fireman.net graphic-designer.com hairdresser.net
  job4u.com journalist.com lawyer.com legislator.com lobbyist.com minister.com musician.org optician.com
  pediatrician.com photographer.net physicist.net politician.com presidency.com priest.com programmer.net
  publicist.com realtyagent.com registerednurses.com repairman.com representative.com rescueteam.com salesperson.net
  scientist.com secretary.net socialworker.net sociologist.com songwriter.net teachers.org technologist.com
  therapist.net umpire.com berlin.com dublin.com london.com madrid.com munich.com nycmail.com rome.com tokyo.com
  gmx.com gmx.net gmx.de gmx.at gmx.ch gmx.us gmx.fr gmx.co.uk web.de freenet.de t-online.de arcor.de online.de
  inbox.com inbox.lv inbox.ru mail.ru bk.ru list.ru internet.ru xmail.ru rambler.ru lenta.ru autorambler.ru ro.ru
  myrambler.ru yandex.com yandex.ru yandex.ua yandex.by yandex.kz ya.ru narod.ru ukr.net i.ua meta.ua bigmir.net
  seznam.cz email.cz post.cz centrum.cz atlas.cz volny.cz azet.sk zoznam.sk post.sk centrum.sk wp.pl o2.pl tlen.pl
  go2.pl interia.pl interia.eu poczta.fm onet.pl onet.eu op.pl vp.pl poczta.onet.pl gazeta.pl abv.bg mail.bg dir.bg
  freemail.hu citromail.hu indamail.hu vipmail.hu libero.it virgilio.it tiscali.it alice.it tin.it iol.it inwind.it
  blu.it giallo.it email.it tim.it katamail.com orange.fr wanadoo.fr free.fr laposte.net sfr.fr neuf.fr bbox.fr
  club-internet.fr numericable.fr aliceadsl.fr voila.fr caramail.com skynet.be telenet.be proximus.be scarlet.be
  ziggo.nl kpnmail.nl planet.nl home.nl hetnet.nl xs4all.nl chello.nl quicknet.nl upcmail.nl bluewin.ch sunrise.ch
  hispeed.ch aon.at chello.at telia.com spray.se comhem.se bredband.net telenor.no online.no start.no broadpark.no
  jubii.dk ofir.dk mail.dk stofanet.dk luukku.com suomi24.fi kolumbus.fi elisanet.fi welho.com sapo.pt iol.pt
  clix.pt netcabo.pt telefonica.net terra.es ono.com terra.com terra.com.br uol.com.br bol.com.br ig.com.br
  globo.com globomail.com oi.com.br r7.com zipmail.com.br superig.com.br ibest.com.br prodigy.net.mx fibertel.com.ar
  arnet.com.ar speedy.com.ar ciudad.com.ar latinmail.com btinternet.com btopenworld.com talktalk.net sky.com
  virginmedia.com ntlworld.com blueyonder.co.uk tiscali.co.uk freeserve.co.uk o2.co.uk plusnet.com eircom.net
  comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net optonline.net
  optimum.net juno.com netzero.net netzero.com roadrunner.com rr.com twc.com frontier.com frontiernet.net windstream.net
  centurylink.net embarqmail.com q.com mindspring.com peoplepc.com suddenlink.net cableone.net wowway.com mediacombb.net
  prodigy.net pacbell.net swbell.net ameritech.net snet.net flash.net nvbell.net worldnet.att.net lycos.com excite.com
  shaw.ca rogers.com sympatico.ca videotron.ca telus.net bell.net cogeco.ca eastlink.ca bigpond.com bigpond.net.au
  optusnet.com.au iinet.net.au tpg.com.au internode.on.net westnet.com.au ozemail.com.au xtra.co.nz slingshot.co.nz
  rediffmail.com rediff.com sify.com indiatimes.com qq.com foxmail.com vip.qq.com 163.com 126.com yeah.net vip.163.com
  188.com sina.com sina.cn vip.sina.com sohu.com tom.com 21cn.com 139.com 189.cn wo.cn aliyun.com 263.net netease.com
  naver.com hanmail.net daum.net nate.com kakao.com hanmir.com korea.com dreamwiz.com empas.com paran.com
  pchome.com.tw hinet.net msa.hinet.net seed.net.tw kimo.com netvigator.com singnet.com.sg starhub.net.sg
  walla.com walla.co.il netvision.net.il maktoob.com mynet.com superonline.com mail.gr otenet.gr in.gr
  yopmail.com mailinator.com guerrillamail.com 10minutemail.com temp-mail.org sharklasers.com getnada.com
  trashmail.com dispostable.com maildrop.cc mailnesia.com moakt.com tempmail.com throwawaymail.com emailondeck.com
  runbox.com posteo.de posteo.net mailbox.org disroot.org riseup.net startmail.com countermail.com cock.li mailfence.com
  kolabnow.com lavabit.com vfemail.net opayq.com duck.com simplelogin.com relay.firefox.com mozmail.com anonaddy.com
  privaterelay.appleid.com skiff.com onmail.com onionmail.org airmail.cc bigfoot.com operamail.com myway.com lycos.co.uk
  mail2world.com gawab.com care2.com usa.net canada.com india.com australiamail.com planetmail.com linuxmail.org
`
    .trim()
    .split(/\s+/),
)

/** `yahoo.co.jp`, `hotmail.fr`, `live.com.au` … */
const FAMILIES =
  /^(?:yahoo|ymail|hotmail|outlook|live|gmx|yandex|aol|rocketmail|googlemail|msn)\.(?:com|(?:com?\.)?[a-z]{2})$/

/** Whether the address is at a public mail service, subdomains of one included. Takes an address or an empty text. */
export function senderDomainIsPublic(email: string): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const labels = domain.split('.')
  return labels.some((_, start) => {
    const parent = labels.slice(start).join('.')
    return DOMAINS.has(parent) || FAMILIES.test(parent)
  })
}
