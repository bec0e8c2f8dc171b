"""The words in a label between what names a secret and its sign: whose secret it is, or what is
said about it."""

from __future__ import annotations

from memctl.extraction.word_set import word_set

ACCESS_WORDS = word_set(
    """
    wifi wi-fi wi fi wlan wireless lan vpn ssid router modem repeater hotspot fritzbox fritz!box
    switch firewall gateway nas server host pi raspberry laptop notebook pc computer mac macbook
    desktop tablet ipad phone iphone android handy telefon smartphone drucker printer camera kamera
    tv fernseher ssh ftp sftp smtp imap database datenbank db postgres mysql mariadb redis mongo
    home zuhause new neu neues old alt altes current aktuell nuevo nueva nouveau nuovo nuova
    root admin administrator guest gast gäste gästenetz heimnetz netz netzwerk network
    bank banking onlinebanking online-banking sparkasse paypal visa mastercard girocard elster
    mail email e-mail gmail outlook gmx icloud yahoo proton protonmail posteo mailbox postfach
    netflix spotify amazon ebay google apple microsoft github gitlab bitbucket facebook instagram
    twitter discord slack telegram whatsapp signal zoom teams skype steam playstation xbox nintendo
    disney dropbox nextcloud owncloud onedrive linkedin reddit youtube twitch airbnb uber booking
    wordpress jira confluence trello notion figma grafana jenkins portainer proxmox pihole synology
    qnap unifi plex jellyfin vaultwarden homeassistant openweather openai anthropic cloudflare aws
    azure hetzner digitalocean heroku vercel stripe twilio sendgrid mapbox docker npm pypi
    account konto cuenta compte conta conto account's login shop webshop portal forum cloud app
    website webseite site sitio sito intranet moodle schule school escuela école escola uni arbeit
    work office büro oficina bureau backup
    correo ordenador portátil móvil impresora teléfono ordinateur imprimante téléphone boîte
    messagerie banque banco banca servidor serveur casa rede réseau red rete computador telemóvel
    celular telefono stampante posta computador wifi's
    роутер роутера вайфай вай-фай почта почты банк банка сервер сервера компьютер ноутбук телефон
    路由器 无线网 邮箱 银行 服务器 ルーター メール 銀行 サーバー 공유기 와이파이 이메일 은행 서버
    """
)
"""What people have a password for, in the languages that they write notes in."""

CARD_WORDS = word_set(
    """
    visa mastercard amex ec ec-karte girocard giro karte card debit credit kreditkarte bankkarte
    bank sparkasse sim sim-karte handy phone iphone android tablet ipad tv konto account perso
    personalausweis carte bancaire bleue tarjeta banco móvil teléfono carta bancomat telefono cartão
    banque téléphone карта карты телефон телефона банк
    """
)
"""What has a PIN."""

ABOUT_WORDS = word_set(
    """
    policy policies manager managers generator hint hints length strength rule rules requirement
    requirements rotation expiry expiration expires reset resets change changed changes history
    file files folder path field fields column input box prompt page link url form dialog screen
    button label name names id ids hash hashes hashing algorithm algo cipher salt type format style
    encoding length count limit limits usage number numbers version min minimum max maximum attempt
    attempts retries retry timeout lifetime ttl expiration check checker checks validation validator
    test tests tester quality score meter safe store storage vault protection protected auth
    authentication grant recovery question questions answer reminder update updates notice ticket
    issue branch commit color colour colours leak leaks breach audit log logs topic subject note
    notes date day days age owner contact contacts fingerprint checksum md5 sha sha1 sha256 sha512
    signature address contract symbol price supply sale sharing list table cell variable env class
    function method parameter argument option key-id tls budget bucket group team meeting training
    course book game ingredient santa santa's meaning language word words entropy pattern regex
    secret token password passwort
    verwaltung verwalter richtlinie richtlinien regel regeln länge stärke hinweis wechsel ändern
    änderung geändert zurücksetzen rücksetzung abfrage eingabe feld datei ordner pfad verlauf
    prüfung sicherheit qualität anzahl versuche ablauf gültigkeit gültig thema frage fragen
    erinnerung raum räume room rooms
    typ art zahl nummer farbe seite liste tabelle spalte vorgang schutz geschützt speicher
    política gestor administrador gestionnaire directiva regla reglas longitud fuerza cambio
    cambiada caduca caducidad restablecer recuperación pregunta archivo campo página tipo número
    fecha intentos historial privada pública maestra primaria foránea producto color
    gestionnaire politique règle longueur force changement réinitialisation expiration champ fichier
    indice question numéro durée historique
    gestore lunghezza regola modifica chiave scadenza domanda numero pagina gerenciador tamanho
    beheerder beleid lengte wijziging менеджер политика длина смена срок подсказка вопрос
    管理器 策略 长度 規則 マネージャー ポリシー 長さ 관리자 정책
    """
)
"""What is said about secrets, behind which none stands."""

LINKING_WORDS = word_set(
    "in im for für fürs von vom of at bei beim am an auf zum zur de du des del della di da do dei"
    " en sur au aux the das der die den dem la le el il lo mein my unser our zu zuhause home neu"
    " new alt old jetzt now aktuell nuevo nueva nouveau nuovo nuova"
)
"""What may stand beside the name of a thing without saying anything of the secret."""

USER_WORDS = ("admin", "administrator", "root")
"""Those who log in to a thing, whatever it is."""

LOGIN_WORDS = (
    *("login", "log-in", "logins", "credentials", "creds", "zugang", "zugangsdaten", "anmeldung"),
    *(
        "anmeldedaten",
        "identifiants",
        "connexion",
        "credenciales",
        "inicio de sesión",
        "credenziali",
    ),
    *(
        "credenciais",
        "inloggegevens",
        "inloggning",
        "logowanie",
        "логин",
        "доступ",
        "giriş",
        "登录",
    ),
    *("ログイン", "로그인"),
)
