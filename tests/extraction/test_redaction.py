"""Secrets go, everything else stays.

No token stands here in one piece: bodies are drawn at run time from a fixed seed, so that scanners
of repositories find nothing and nobody takes one for real.
"""

import base64
import json
import random
import string
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memctl.extraction.redaction import redact

LETTERS_DIGITS = string.ascii_letters + string.digits
WORD = LETTERS_DIGITS + "_-"
HEX = "0123456789abcdef"
UPPER_DIGITS = string.ascii_uppercase + string.digits


def body(length: int, alphabet: str = LETTERS_DIGITS, seed: int = 1) -> str:
    """A mixed text that holds at least one digit, one capital and one small letter if it can."""
    draw = random.Random(f"{seed} {length} {alphabet}")
    text = "".join(draw.choice(alphabet) for _ in range(length - 3))
    kinds = (string.digits, string.ascii_uppercase, string.ascii_lowercase)
    return text + "".join(
        draw.choice([sign for sign in kind if sign in alphabet] or alphabet) for kind in kinds
    )


def jwt() -> str:
    def part(value: object) -> str:
        encoded = base64.urlsafe_b64encode(json.dumps(value).encode())
        return encoded.decode().rstrip("=")

    return ".".join((part({"alg": "HS256"}), part({"sub": "fake", "iat": 1}), body(43, WORD)))


def card(prefix: str, length: int) -> str:
    """A number with that prefix and a right check digit."""
    digits = prefix + "".join(str(place % 10) for place in range(length - len(prefix) - 1))
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (2 - place % 2)
        total += doubled - 9 if doubled > 9 else doubled
    return digits + str(-total % 10)


def groups(digits: str, separator: str, sizes: tuple[int, ...] = (4, 4, 4, 4)) -> str:
    parts = []
    for size in sizes:
        parts.append(digits[:size])
        digits = digits[size:]
    return separator.join(parts)


TOKENS = {
    "openai key": ["sk-" + "proj-" + body(48, WORD), "sk-" + "svcacct-" + body(48, WORD)],
    "api key": ["sk-" + body(48), "sk-" + body(32, HEX)],
    "anthropic key": ["sk-" + "ant-api03-" + body(93, WORD)],
    "openrouter key": ["sk-" + "or-v1-" + body(64, HEX)],
    "aws key": ["AK" + "IA" + body(16, UPPER_DIGITS), "AS" + "IA" + body(16, UPPER_DIGITS)],
    "google key": ["AI" + "za" + body(35, WORD)],
    "google token": ["ya" + "29." + body(60, WORD)],
    "google secret": ["GOC" + "SPX-" + body(28, WORD)],
    "github token": [
        *(f"gh{letter}" + "_" + body(36) for letter in "pousr"),
        "github" + "_pat_" + body(22) + "_" + body(59),
    ],
    "gitlab token": ["gl" + "pat-" + body(20, WORD), "gl" + "rt-" + body(20, WORD)],
    "slack token": [
        *(f"xox{kind}" + "-" + "104857600213-2097152004455-" + body(24) for kind in "bap"),
        "xa" + "pp-1-A0123456789-104857600213-" + body(64, HEX),
    ],
    "stripe key": ["sk" + "_live_" + body(24), "rk" + "_test_" + body(24)],
    "webhook secret": ["wh" + "sec_" + body(32)],
    "telegram token": ["7301946285:" + "AA" + body(33, WORD)],
    "discord token": ["M" + body(25) + "." + body(6, WORD) + "." + body(38, WORD)],
    "npm token": ["np" + "m_" + body(36)],
    "pypi token": ["py" + "pi-AgEIcHlwaS5vcmc" + body(80, WORD)],
    "huggingface token": ["h" + "f_" + body(34)],
    "sendgrid key": ["S" + "G." + body(22, WORD) + "." + body(43, WORD)],
    "twilio key": ["S" + "K" + body(32, HEX)],
    "mailgun key": ["ke" + "y-" + body(32, HEX)],
    "mailchimp key": [body(32, HEX) + "-us" + "14"],
    "square token": ["sq0" + "atp-" + body(22, WORD)],
    "shopify token": ["shp" + "at_" + body(32, HEX)],
    "digitalocean token": ["do" + "p_v1_" + body(64, HEX)],
    "linear key": ["lin" + "_api_" + body(40)],
    "notion token": ["nt" + "n_" + body(46), "sec" + "ret_" + body(43)],
    "atlassian token": ["ATA" + "TT3" + body(180, WORD)],
    "databricks token": ["da" + "pi" + body(32, HEX)],
    "docker token": ["dck" + "r_pat_" + body(27, WORD)],
    "vault token": ["hv" + "s." + body(90, WORD)],
    "grafana token": ["gl" + "sa_" + body(32) + "_" + body(8, HEX)],
    "new relic key": ["NR" + "AK-" + body(27, UPPER_DIGITS)],
    "postman key": ["PM" + "AK-" + body(24, HEX) + "-" + body(34, HEX)],
    "groq key": ["gs" + "k_" + body(52)],
    "xai key": ["xa" + "i-" + body(80)],
    "perplexity key": ["pp" + "lx-" + body(48)],
    "replicate token": ["r8" + "_" + body(37)],
    "langsmith key": ["ls" + "v2_pt_" + body(32, HEX) + "_" + body(10, HEX)],
    "supabase token": ["sb" + "p_" + body(40, HEX)],
    "tailscale key": ["ts" + "key-auth-" + body(30, WORD)],
    "age key": ["AGE-" + "SECRET-KEY-1" + body(58, UPPER_DIGITS)],
    "json web token": [jwt()],
}


@pytest.mark.parametrize(
    ("kind", "token"), [(kind, token) for kind, tokens in TOKENS.items() for token in tokens]
)
@pytest.mark.parametrize(
    "line",
    [
        "The job uses {} since May.",
        "- **Key:** `{}`",
        '  "value": "{}",',
        "export FORECAST={}",
        "https://example.invalid/list?page=2&k={}&x=1",
        "密钥是{}。",
        "({})",
    ],
)
def test_a_token_with_a_known_form_goes_wherever_it_stands(kind, token, line):
    redacted = redact(f"before\n{line.format(token)}\nafter")

    assert token not in redacted.text
    assert token[8:-8] not in redacted.text
    assert kind in redacted.kinds
    assert redacted.text.startswith("before\n")
    assert redacted.text.endswith("\nafter")


PASSWORD = "cr0issant" + "-FAKE-" + "7788"
PASSWORD_LINES = [
    "password: {}",
    "Password: {}.",
    "The upload user is `ember`, password: {}",
    "user relay, password: {}, port 8883",
    "**Password:** {}",
    "- **Password**: `{}`",
    "password = '{}'",
    'password="{}"',
    '{{"user": "ember", "password": "{}"}}',
    "{{'password': '{}'}}",
    '"{{\\"password\\": \\"{}\\"}}"',
    "DB_PASSWORD={}",
    "export PGPASSWORD={} && psql",
    "spring.datasource.password={}",
    "dbPassword: {}",
    "mypassword := {}",
    "passwd: {}",
    "pwd={}",
    "Server=db;Uid=ember;Pwd={};Database=shop",
    "pass: {}",
    "db_pass={}",
    "pw: {}",
    "passphrase is {}",
    "The password is {}.",
    "the wifi password is now {}, by the way",
    "password was {} until May",
    "password for the router: {}",
    "The password for the shop is {} now.",
    "Password (guest): {}",
    "Password -> {}",
    "password => {}",
    "Password - {}",
    "password {}",
    "<password>{}</password>",
    "mysql --password {} shop",
    "mysql --password={} shop",
    "https://example.invalid/?user=a&password={}&page=2",
    "Password:\n{}\n",
    "Password:\n\t`{}`\n",
    "| Password | {} |",
    "Passwort: {}",
    "Das Passwort lautet {}.",
    "Kennwort: {}",
    "WLAN-Passwort: {}",
    "mot de passe : {}",
    "Mot de passe : « {} »",
    "le mot de passe est {}",
    "contraseña: {}",
    "la contraseña es {}",
    "clave: {}",
    "senha: {}",
    "a senha é {}",
    "La password è {}",
    "wachtwoord: {}",
    "lösenord: {}",
    "hasło: {}",
    "heslo: {}",
    "jelszó: {}",
    "şifre: {}",
    "пароль: {}",
    "Пароль от роутера: {}",
    "пароль — {}",
    "密码：{}",
    "密码:{}",
    "密码是{}",
    "密碼：{}",
    "WiFi密码是 {}，不要外传",
    "パスワード：{}",
    "パスワードは{}です",
    "비밀번호: {}",
    "비밀번호는 {} 입니다",
    "mật khẩu: {}",
    "كلمة المرور: {}",
    "postgres://relay:{}@db.example.invalid:5432/telemetry",
    "mongodb+srv://u:{}@cluster.example.invalid/?retryWrites=true",
    "redis://:{}@localhost:6379/0",
    "https://ember:{}@git.example.invalid/shop.git",
    "curl -u ember:{} https://example.invalid/",
    "sshpass -p '{}' ssh ember@example.invalid",
    "mysql -u root -p{} shop",
    "credentials: ember / {}",
    "Login: ember/{}",
    "账号：ember / {}",
    "WIFI:S:Crumb;T:WPA;P:{};;",
    "router pw {}",
    "wifi: KittiNet / pass {}",
    "user relay with password {}",
    "The root password on fulmar changed to {} on Monday",
    "路由器的密码改成了{}。",
    "管理员密码 {}",
    "Wi-Fiのパスワードは「{}」です",
    "Passwort lautet: {}",
    "Password🔑: {}",
    "jdbc:postgresql://db:5432/x?user=relay&password={}",
    "(password {})",
    "[password: {}]",
    "set PASSWORD {}",
    "requirepass {}",
    "machine host login relay password {}",
    "Login for the panel: relay / {}",
    "| Device | User | Password |\n|---|---|---|\n| Router | admin | {} |",
    "device,user,password\nrouter,admin,{}\n",
    "Gerät;Benutzer;Passwort\nRouter;admin;{}\n",
]


@pytest.mark.parametrize("line", PASSWORD_LINES)
def test_a_password_goes_and_its_line_stays(line):
    text = line.format(PASSWORD)
    redacted = redact(text)

    assert redacted.text == text.replace(PASSWORD, "[redacted: password]")
    assert redacted.kinds == ("password",)


@pytest.mark.parametrize(
    ("text", "password"),
    [
        ("password: swordfish", "swordfish"),
        ("password: Swordfish, user: ember", "Swordfish"),
        ("The router's password: swordfish (change it!)", "swordfish"),
        ("The wifi password is swordfish.", "swordfish"),
        ('The password is "tuna".', "tuna"),
        ("密码是“tuna”", "tuna"),
        ("password: correct-horse-battery-staple", "correct-horse-battery-staple"),
        ("passphrase: correct horse battery staple", "correct horse battery staple"),
        ("The passphrase is correct horse battery staple.", "correct horse battery staple"),
        ('passphrase = "two blue kettles sing"', "two blue kettles sing"),
        ("password: P@$$w0rd!", "P@$$w0rd!"),
        ("password: 48151623", "48151623"),
        ("password: a,b;c!9", "a,b;c!9"),
        ("password: Sommer2031!", "Sommer2031!"),
        ("пароль: ромашка", "ромашка"),
        ("Passwort: Sonnenblume", "Sonnenblume"),
        ("PIN: 4821", "4821"),
        ("The card's PIN is 4821.", "4821"),
        ("CVV: 737", "737"),
        ("NAS password: correct horse battery", "correct horse battery"),
        ("password for the NAS: correct horse battery", "correct horse battery"),
        ("password: correct horse battery (guests)", "correct horse battery"),
        ("the NAS password is correct horse battery staple", "correct horse battery staple"),
        ("Wifi key: Kupferkanne 77", "Kupferkanne 77"),
        ("wifi pass: Kupferkanne 77", "Kupferkanne 77"),
        ("Das WLAN-Passwort ist Kupferkanne 77", "Kupferkanne 77"),
        ("Passwort: Pferd Batterie Klammer", "Pferd Batterie Klammer"),
        ("La contraseña es caballo correcto batería", "caballo correcto batería"),
        ("clave del wifi: abretesesamo", "abretesesamo"),
        ("pass = opensesame", "opensesame"),
        ("ssh login: user bob password hunter2", "hunter2"),
        ("Benutzer bob Passwort hunter2", "hunter2"),
        ("the password for the NAS, hunter2", "hunter2"),
        ("Das Passwort für das NAS, hunter2.", "hunter2"),
        ("la contraseña del NAS, hunter2", "hunter2"),
        ("passphrase: the cat sat on a mat", "the cat sat on a mat"),
        ("- Passphrase: the cat sat on a mat (laptop)", "the cat sat on a mat"),
        ("Passphrase: die Katze saß auf der Matte", "die Katze saß auf der Matte"),
        ("pw: opensesame", "opensesame"),
        (
            "| User | Password |\n|---|---|\n| relay | correct horse battery |",
            "correct horse battery",
        ),
    ],
)
def test_a_plain_word_or_number_is_a_password_where_it_is_called_one(text, password):
    redacted = redact(text)

    assert password not in redacted.text
    assert len(redacted.kinds) == 1


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("door code: 4711", "4711"),
        ("alarm code 4711", "4711"),
        ("The safe opens with 22-14-9", "22-14-9"),
        ("The code for the front door is 4711.", "4711"),
        ("Code 4711 opens the gate.", "4711"),
        ("The combination to the safe is 22-14-9.", "22-14-9"),
        ("safe combination 22 14 9", "22 14 9"),
        ("The gate code was changed to 4711# on Monday", "4711#"),
        ("door_code=4711", "4711"),
        ("- **Door code:** `4711`", "4711"),
        ("Entry code - B4711", "B4711"),
        ("alarm code: kingfisher", "kingfisher"),
        ("bike lock: 4711", "4711"),
        ("Türcode 4711", "4711"),
        ("Der Code der Alarmanlage ist 4711.", "4711"),
        ("Code Haustür: 4711", "4711"),
        ("Der Safe geht mit 22-14-9 auf", "22-14-9"),
        ("Der Tresor lässt sich mit 22-14-9 öffnen", "22-14-9"),
        ("El código de la alarma es 4711", "4711"),
        ("La caja fuerte se abre con 22-14-9", "22-14-9"),
        ("code de la porte : 4711", "4711"),
        ("Front door keypad: 4471", "4471"),
        ("Keypad of the shed: 4471#", "4471#"),
        ("Tastenfeld an der Haustür: 4471", "4471"),
        ("Use 4471 to open the garage door", "4471"),
        ("Enter the code 4471 on the keypad to unlock the front door.", "4471"),
        ("4471 eingeben, um das Garagentor zu öffnen", "4471"),
        ("Marca 4471 para abrir la puerta", "4471"),
        ("Tapez 4471 pour ouvrir le portail", "4471"),
        ("Usa 4471 per aprire il cancello", "4471"),
        ("The alarm is beside the stairs. Code: 4711", "4711"),
        ("# Front door\n- Code: 4711", "4711"),
        ("Code: 4711 (for the PIN pad)", "4711"),
        ("Tor hinten. Code: 4711", "4711"),
    ],
)
def test_the_code_of_a_door_an_alarm_or_a_safe_goes(text, code):
    assert redact(text).text == text.replace(code, "[redacted: access code]")


SEED = "abandon ability able about above absent absorb abstract absurd abuse access accident"


@pytest.mark.parametrize(
    "text",
    [
        f"seed: {SEED}",
        f"Seed phrase for the ledger: {SEED}.",
        f"The recovery words are {SEED.replace(' ', ', ')}",
        f"Wiederherstellungsphrase: {SEED}",
        f"frase de recuperación: {SEED} {SEED}",
        "Seed:\n" + "\n".join(f"{place}. {word}" for place, word in enumerate(SEED.split(), 1)),
        "Recovery phrase\n\n- " + SEED.replace(" ", "\n- "),
    ],
)
def test_the_words_of_a_wallet_go_in_a_row_and_in_a_list(text):
    redacted = redact(text)

    assert redacted.kinds == ("recovery phrase",)
    assert not any(word in redacted.text for word in SEED.split()[:-1])
    assert redacted.text.count("\n") == text.count("\n")


SECRET = body(32)
SECRET_LINES = [
    "api_key = {}",
    "api-key: {}",
    "apiKey: '{}'",
    "API key: {}",
    "The API key is {}.",
    "X-Api-Key: {}",
    "OPENWEATHER_API_KEY={}",
    "client_secret: {}",
    "clientSecret={}",
    "AWS_SECRET_ACCESS_KEY={}",
    "aws_secret_access_key = {}",
    "access key AKIA, secret {}",
    "access_token={}&expires=3600",
    "refresh token: {}",
    "The bot token is {}",
    '"token": "{}"',
    "auth_token: {}",
    "Authorization: Bearer {}",
    '-H "Authorization: Bearer {}"',
    "authorization: token {}",
    "Bearer {}",
    "signing key: {}",
    "otpauth://totp/Shop:ember?secret={}&issuer=Shop",
    "recovery code: {}",
    "SECRET_KEY = 'x-{}'",
    "Twilio auth token {}",
    "X-Auth-Token: {}",
    "API-Schlüssel: {}",
    "clé API : {}",
    "API 密钥：{}",
    "令牌：{}",
    "APIキー：{}",
    "API 키: {}",
    "API-ключ: {}",
    "токен: {}",
    "AccountName=shop;AccountKey={};EndpointSuffix=core",
    "service,api key\nmaps,{}\n",
    "token:\n  {}\n",
]


@pytest.mark.parametrize(
    "line",
    [
        "Auth token: {}",
        "access_token = {}",
        "API key: {}",
        "Zugriffstoken: {}",
        "token de acceso: {}",
    ],
)
def test_a_token_that_somebody_made_up_goes_where_it_gives_access(line):
    """Words with a number among them look like a name, which stays elsewhere."""
    token = "zanzibar-9914-quux"
    assert redact(line.format(token)).text == line.format("[redacted: secret]")
    assert redact(f"Ticket: {token}; branch {token}; token: {token}").kinds == ()


@pytest.mark.parametrize("line", SECRET_LINES)
def test_a_key_of_unknown_form_goes_where_it_is_called_a_secret(line):
    secret = body(44, LETTERS_DIGITS + "+/") if "AccountKey" in line else SECRET
    redacted = redact(line.format(secret))

    assert secret not in redacted.text
    assert secret[4:-4] not in redacted.text
    assert len(redacted.kinds) == 1


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("aws secret wJalr/{}", "wJalr/" + body(30, LETTERS_DIGITS + "/+")),
        ("Authorization: Basic {}", base64.b64encode(b"ember:" + PASSWORD.encode()).decode()),
        ("Basic {}", base64.b64encode(b"ember:" + PASSWORD.encode()).decode()),
        ("https://hooks.slack.com/services/{}", "T0FAKE000/B0FAKE000/" + body(24)),
        ("https://discord.com/api/webhooks/{}", "104857600213209715/" + body(68, WORD)),
        ("api.telegram.org/bot{}/getMe", "5550123987:" + "AA" + body(33, WORD)),
        (
            "seed phrase: {}",
            "river lamp stone quiet maple drift copper lantern meadow violet harbor wheat",
        ),
        ("api key: {}", "3f8a1c52-6b7d-4e90-8a1f-2c3d4e5f6a7b"),
        ("session token: {}", body(64, HEX)),
        ("heroku api key {}", "3f8a1c52-6b7d-4e90-8a1f-2c3d4e5f6a7b"),
        ("ftp://relay:{}@host/path", "gull/" + PASSWORD),
        ("alarm PIN {}", "4821"),
        ("PUK: {}", "48214821"),
        (
            '{{"auths": {{"r.invalid": {{"auth": "{}"}}}}}}',
            base64.b64encode(b"u:" + b"x7" * 9).decode(),
        ),
    ],
)
def test_other_places_of_secrets(text, secret):
    text = text if "wJalr" not in text else "aws secret {}"
    redacted = redact(text.format(secret))

    assert secret not in redacted.text
    assert len(redacted.kinds) == 1


@pytest.mark.parametrize(
    "number",
    [
        card("4", 16),
        card("4", 13),
        card("51", 16),
        card("2221", 16),
        card("37", 15),
        card("6011", 16),
        card("3530", 16),
        card("62", 19),
        groups(card("4", 16), " "),
        groups(card("55", 16), "-"),
        groups(card("34", 15), " ", (4, 6, 5)),
        groups(card("4", 16), "\u00a0"),
    ],
)
@pytest.mark.parametrize(
    "line", ["Card: {}", "paid with {} today.", "({})", "卡号：{}，过期 12/29"]
)
def test_a_payment_card_number_goes(number, line):
    assert redact(line.format(number)).text == line.format("[redacted: card number]")


def pem(kind: str = "RSA PRIVATE KEY", lines: int = 3) -> list[str]:
    dashes = "-" * 5
    middle = [body(64, seed=line) for line in range(lines)] + [body(20) + "=="]
    return [f"{dashes}BEGIN {kind}{dashes}", *middle, f"{dashes}END {kind}{dashes}"]


@pytest.mark.parametrize(
    "kind",
    [
        "PRIVATE KEY",
        "RSA PRIVATE KEY",
        "EC PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
    ],
)
@pytest.mark.parametrize("indent", ["", "    ", "> ", "# "])
def test_a_private_key_block_goes_whole_and_keeps_its_lines(kind, indent):
    block = pem(kind)
    text = "key:\n" + "\n".join(indent + line for line in block) + "\nnext line\n"

    redacted = redact(text)

    assert redacted.kinds == ("private key",)
    assert not any(line in redacted.text for line in block)
    assert redacted.text.count("\n") == text.count("\n")
    assert redacted.text.split("\n")[-2] == "next line"


def test_a_private_key_in_one_json_line_goes():
    text = json.dumps({"private_key": "\n".join(pem("PRIVATE KEY")), "client": "ember"})

    redacted = redact(text)

    assert redacted.text == '{"private_key": "[redacted: private key]", "client": "ember"}'


def test_a_private_key_that_was_cut_off_goes_up_to_its_last_line():
    block = pem()[:-1]
    text = "\n".join([*block, "", "The shop opens at nine and closes at five."])

    redacted = redact(text)

    assert not any(line in redacted.text for line in block)
    assert redacted.text.endswith("\n\nThe shop opens at nine and closes at five.")
    assert redacted.text.count("\n") == text.count("\n")


LOOK_ALIKES = [
    "the password policy requires 12 characters",
    "reset the password",
    "Reset the password for the NAS, then reboot.",
    "The password for the NAS, the router and the printer is the same.",
    "the password for the wifi, room 12b, is new",
    "the password for the account, opened in 2019-05-01",
    "user guide: password page, chapter 3",
    "user changed password yesterday",
    "The user types the password slowly",
    "user must reset password today",
    "postal code: 4711",
    "error code: 4711",
    "keypad broken",
    "The keypad has 12 keys.",
    "Keypad: replaced on 2026-03-04",
    "numeric keypad: 104 keys",
    "Code: 4711",
    "Discount code: 4711",
    "The door controller shows an error. Code: 4711",
    "Colour of the front door: pigeon blue. Code: 7016",
    "Türfarbe innen. Farbcode: 7016",
    "Fehler an der Alarmanlage. Code: 4711",
    "The door is in room 4711.",
    "Room 4471, 4th floor",
    "Gate 12 at 10:30; it opens at 2026",
    "The safe weighs 4711 kg",
    "We need 4471 to open the garage door company",
    "Use 10 mm screws to open the gate",
    "Use two keys to open the safe",
    "It costs 4711 euros to open the gate for an hour",
    "use 30 minutes to open the vault account",
    "token: risk-register-2026",
    "auth token: see-vault-2024",
    "API token: production-2026",
    "access token: github-actions-runner",
    "auth token: stored in the vault",
    "api key: $API_KEY_2026",
    "Access level: zanzibar-9914-quux",
    "ticket zanzibar-9914-quux",
    "branch auth-token-9914-fix",
    "passphrase: use at least five words",
    "passphrase: the same as for the NAS",
    "passphrase: see the vault",
    "passphrase: on a sticky note under the keyboard",
    "passphrase: stored in the keychain",
    "passphrase: the usual one with my birthday",
    "passphrase: only Anna knows it",
    "passphrase: it should be a long sentence",
    "passphrase: ask Bob for it please now",
    "passphrase: you can find it in the safe at home",
    "Passphrase: steht auf dem Zettel in der Schublade",
    "Passphrase: wie immer das Gleiche",
    "The passphrase of the key is long",
    "commit 9b1f0c4d7e2a8856f3d0a1b2c3d4e5f60718293a",
    "id 550e8400-e29b-41d4-a716-446655440000",
    "Price: 4711 EUR",
    "4711 Schritte eingeben",
    "In der App 4711 eingeben",
    "Enter 2026 to open the year view",
    "Press 3 to open the door",
    "Type 100 to open the file",
    "Keypad model: 4471",
    "The PIN is four digits long; code review at 4711",
    "login page, password reset link 12b",
    "login: see the password manager",
    "the password for the guest network, which changes weekly",
    "The code for the course is 4711, the door is open",
    "The password is stored in KeePass; the password policy requires 12 characters",
    "We changed the password on Monday. The password is the name of our first cat.",
    "The password is case sensitive everywhere",
    "The password is very weak today",
    "The password is valid until Friday",
    "The passphrase is very long",
    "Password: minimum twelve characters",
    "Das Passwort ist seit Montag abgelaufen",
    "Passwort: wie immer",
    "La contraseña está guardada en KeePass; la contraseña caduca cada 90 días",
    "clave: ser constante",
    "Pass: Brenner",
    "door code changes in May; door code since 2026-05-01",
    "door code: see the vault",
    "The alarm code is written in the safe",
    "The alarm code is 4 digits long",
    "Alarm code 100 means overheating",
    "access code required",
    "area code 030, zip code 12345, error code 4711, the code review",
    "The error code for the door is 4711",
    "Colour code of the front door: 7016; Farbcode der Haustür: 7016",
    "The gate opens with 120 guests, the door opens at 10:30, the gate opens by 2026",
    "Der Türcode ändert sich im Mai",
    "El código postal es 28013; la puerta se abre con la llave",
    "the key idea; key: value",
    "seed: 42",
    "Seed: leek, pepper, basil, carrot, onion, leek, garlic, parsley, turnip, fennel, radish, dill",
    "The seed phrase is kept in the safe at home under the stairs",
    "Ticket task-board-cleanup-and-relabel-sprint-march is closed.",
    "The file risk-register-for-the-winter-season-2026 was reviewed.",
    "scikit-learn, sk-learn-style-estimators-and-transformers, task-queue",
    "Commit 9b1f0c4d7e2a8856f3d0a1b2c3d4e5f60718293a fixed it; 4e5f607 only touched docs.",
    "sha256:" + body(64, HEX),
    "SHA-256 " + body(64, HEX),
    "md5 " + body(32, HEX),
    "integrity sha512-" + base64.b64encode(body(64).encode()).decode(),
    "The archive job has the id 3f8a1c52-6b7d-4e90-8a1f-2c3d4e5f6a7b.",
    "First packet: 2026-03-07T14:05:09Z, then 20260307T140509Z.",
    "Accent #1f6feb on #0d1117, rgba(31, 111, 235, 0.4).",
    "MAC 02:00:5e:10:00:07, IP 192.168.7.21, fe80::1ff:fe23:4567:890a",
    "Password rotation takes place every 90 days.",
    "The password must have 12 characters.",
    "The password should be at least 14 characters long, with a digit.",
    "password: (see vault)",
    "password: see the vault",
    "Password: ask Maria",
    "Passwort: siehe Tresor",
    "Passwort: liegt im Tresor",
    "密码：见保险柜",
    "密码必须有12个字符",
    "パスワードは変更されました",
    "пароль: см. сейф",
    "The password is wrong.",
    "The password is stored in the vault.",
    "the password is required",
    "password was changed",
    "password was rotated on 2026-03-01",
    "password: required",
    "password: string",
    "password: str = None",
    "password: None",
    "password: ********",
    "password: xxxxxxxx",
    "password: <your password>",
    "password: ${DB_PASSWORD}",
    "password: $DB_PASSWORD",
    "password: {{ vault_db_password }}",
    'password = os.environ["DB_PASSWORD"]',
    "password = getpass()",
    "password = settings.password",
    "password = get_secret('db')",
    "PASSWORD_FILE=/run/secrets/db_password",
    "password_hash, password_file and reset_password exist",
    "Passwords are kept in 1Password.",
    "password manager: Bitwarden",
    "password: 1Password",
    "password: 12 characters or more",
    "password hint: first pet",
    "forgot password? click here",
    "Reset your password at https://example.invalid/reset.",
    "PASS: test_login_works",
    "bypass: valve7b",
    "compass: 12N",
    "passenger: Ember7",
    "The pass is open; pass: 12 of 14 tests",
    "GPIO pin 12, pin 7; pins: 4821",
    "api_key: $OPENAI_API_KEY",
    "api_key: ${OPENAI_API_KEY}",
    "api_key: <your key>",
    "api_key: YOUR_API_KEY",
    "api_key: your-api-key-here",
    "OPENAI_API_KEY=sk-...",
    "api_key=OPENAI_API_KEY",
    'api_key = os.getenv("OPENAI_API_KEY")',
    "API key: none",
    "The API key is in the vault.",
    "token limit: 4096",
    "max_tokens=200000",
    "tokens: 18231",
    "The summariser has a limit of 200000 tokens.",
    "tokenizer: all-MiniLM-L6-v2",
    "token: HEARTBEAT_OK",
    "the secret ingredient is cardamom",
    "Secret: a pinch of cardamom",
    "secret santa: Maria",
    "token_type: bearer",
    "Bearer token authentication is required",
    "Basic authentication with users",
    "Basic understanding of Docker",
    "secret name: relay-credentials-2026",
    "private_key: ~/.ssh/id_ed25519",
    "private key path: /etc/ssl/private/server.key",
    "https://platform.example.invalid/api-keys",
    "https://example.invalid:8443/path@2x.png",
    "https://user:password@example.invalid/",
    "postgres://relay:${DB_PASS}@db/telemetry",
    "postgres://relay@db.example.invalid:5432/telemetry",
    "ssh ember@example.invalid:2222",
    "mailto:ember@example.invalid",
    "data:image/png;base64," + base64.b64encode(bytes(range(200))).decode(),
    "Version 1.24.3-beta.2+build.5114f85, v2026.3.2",
    "ISBN 978-3-16-148410-0 and 9783161484100",
    "Phone +49 30 1234 5678 or 030/1234567890",
    "Order 4111 1111 1111 1112, order 4012888888881882",
    "Tracking 1Z999AA10123456784, IMEI 356938035643809",
    "1741356309000 ms, 20260307140509123",
    "IBAN DE89 3704 0044 0532 0130 00",
    "-----BEGIN PUBLIC KEY-----\n" + body(64) + "\n-----END PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----\n" + body(64) + "\n-----END CERTIFICATE-----",
    "ssh-ed25519 " + "AAAAC3NzaC1lZDI1NTE5AAAAI" + body(43) + " ember@desk",
    "/home/ember/projects/kittiwake/src/relay/beacon_clock.py:128",
    "C:\\Users\\ember\\Documents\\plan.docx",
    "arn:aws:s3:::kittiwake-archive/2026/03",
    "key: value, keyboard: US, key idea: buy less",
    "The keys are under the mat at 12 Harbour Street.",
    "gh_pages, ghost_writer, hf_transformers_and_other_library_names_here",
    "login: 9:30, logout 17:00",
    "user/role: ember/admin",
    "| Name | Value |\n|---|---|\n| Colour | blue7 |",
    "Claude-sonnet-4-20250514 and gpt-4o-mini-2024-07-18",
    "eyJ is how JSON in base64 begins",
    "The meeting is at 10:30; room 4.21",
    "Pass `stream2` to the hook; pass --config-claude7 at login",
    "api key rotated on 2026-03-01; token expires at 2026-03-01T10:00:00Z",
    "token usage: 12345 in / 678 out",
    "Secret: 24h-rest",
    'The secret is "love"; secret: "2 g of cardamom and 3 eggs"; the token is "blue"',
    'Click the password "reset" link and the password "strength" meter',
    "password protected zip file v2, password-less login via ssh-key2",
    "Passwort vergessen? Password? 12 of them",
    "session id: 2c91a7de-04f3-4c58-9e1b-77d0a1b2c3d4",
    "cache key " + body(32, HEX),
    'ETag: "' + body(32, HEX) + '"',
    "Passport number C01X00T47, user id U0123ABCD, username: relay7",
    "kubectl create secret generic relay-secret --from-literal=a=b",
    "c->password = gnome_keyring_memory_strdup(password_data->password);",
    'api_key: AzureApiKeyType | None, USERNAME_PASSWORD = "profile-username-password"',
    "get_token(credentials=credentials, project_id=vertex_project7)",
    "I'd like don't can't — 你好世界 — ダークモード — 감사합니다",
]


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_a_look_alike_stays(text):
    assert redact(text) == type(redact(""))(text)


@pytest.mark.parametrize("between", [" / ", "\n", ", ", " and the other half is ", "\n  secret: "])
def test_the_unmarked_half_of_an_aws_key_pair_goes(between):
    public, secret = "AK" + "IA" + body(16, UPPER_DIGITS), body(40, LETTERS_DIGITS + "+/")
    redacted = redact(f"{public}{between}{secret}\ncommit 9b1f0c4d7e2a8856f3d0a1b2c3d4e5f60718293a")

    assert public not in redacted.text
    assert secret not in redacted.text
    assert redacted.text.endswith("\ncommit 9b1f0c4d7e2a8856f3d0a1b2c3d4e5f60718293a")


def test_every_value_of_a_list_goes():
    redacted = redact(f"backup codes: 8f7a-6b5c, 4d3e-2f1a and 9c1d-7e3b\npasswords: {PASSWORD}")

    assert redacted.text == (
        "backup codes: [redacted: secret], [redacted: secret] and [redacted: secret]\n"
        "passwords: [redacted: secret]"
    )


def test_kinds_are_given_in_reading_order():
    text = f"user:x@y\npassword: {PASSWORD}\ncard {card('4', 16)}\npassword: second-{PASSWORD}"

    assert redact(text).kinds == ("password", "card number", "password")


PIECES = st.sampled_from(
    [
        *(
            "password",
            "passwort",
            "密码",
            "пароль",
            "token",
            "secret",
            "api_key",
            "passphrase",
            "PIN",
        ),
        *(
            ": ",
            "=",
            " is ",
            " ",
            "\n",
            "| ",
            '"',
            "'",
            "`",
            "：",
            "(",
            ")",
            "[",
            "]",
            "://",
            "@",
            ",",
        ),
        *(
            "hunter2-x",
            PASSWORD,
            "swordfish",
            "see vault",
            "4821",
            "48151623",
            SECRET,
            "a",
            "user:",
        ),
        *("[redacted: password]", "[redacted: ", "redacted", "${X}", "1Password", "-----"),
        *(
            "sk-",
            "ghp_" + body(36),
            "AK" + "IA" + body(16, UPPER_DIGITS),
            "eyJ",
            "AA",
            "7301946285:",
        ),
        *(
            card("4", 16),
            "Bearer ",
            "Authorization: Basic ",
            "curl -u a:",
            "seed phrase: ",
            "是",
            "は",
        ),
        *("-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----", body(64) + "\n"),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES | st.text(max_size=6), max_size=14).map("".join))
def test_redacting_twice_changes_nothing_and_lines_are_kept(text):
    once = redact(text)

    assert redact(once.text).text == once.text
    assert redact(once.text).kinds == ()
    assert once.text.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "unit",
    [
        "The tide gate opens at nine; Maria checks the beacon log.\n",
        f"user relay, password: {PASSWORD}\n",
        "password",
        "password: ",
        "password=password=",
        "passphrase is a b c ",
        "token token ",
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----\n" + body(64) + "\n",
        "sk-",
        "sk-a-",
        "eyJ.",
        "eyJhbGciOi.",
        "://a:b",
        "curl -u ",
        "1",
        "4111 ",
        "a" * 64,
        "AAAA",
        "(" * 9,
        "\"'`*_",
        "\\",
        "[redacted: password] is ",
        "a|password|b\n",
        "SG.a.",
        "AK" + "IA" + "A" * 16 + " ",
        "mnemonic: a b c ",
        "seed: abandon ability ",
        "door code of the ",
        "code ",
        "the safe opens with ",
        "password: correct horse ",
        "the password for the ",
        "passphrase: the cat sat on a ",
        "Code: 4711 ",
        "door. Code: 4711\n",
        "use 4471 to open the ",
        "4471 eingeben ",
        "keypad of the ",
        "user a password ",
        "password netflix ",
        "password a b c ",
        "login bank: a / ",
        "router admin / ",
    ],
)
@pytest.mark.slow
def test_time_grows_no_faster_than_the_text(unit):
    """The fastest of three runs counts: a collection of garbage that other tests have left may fall
    into any of them."""

    def seconds(text):
        started = time.process_time()
        redact(text)
        return time.process_time() - started

    small = unit * (25_000 // len(unit))
    of_small, of_large = (min(seconds(text) for _ in range(3)) for text in (small, small * 4))
    assert of_large < 0.3 + 8 * of_small
