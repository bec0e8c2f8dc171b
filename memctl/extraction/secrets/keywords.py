"""The words that name a secret, in lower case, in the languages that people write notes in."""

from __future__ import annotations

PASSWORD_WORDS = (
    *("password", "passwd", "passcode", "passphrase", "pass phrase", "pass-phrase", "passwort"),
    *("kennwort", "zugangscode", "netzwerkschlüssel", "mot de passe", "contraseña", "contrasena"),
    *("palavra-passe", "parola d'ordine", "wachtwoord", "lösenord", "adgangskode", "passord"),
    *("salasana", "hasło", "heslo", "jelszó", "parolă", "şifre", "пароль", "парола", "лозинка"),
    *("κωδικός πρόσβασης", "συνθηματικό", "كلمة المرور", "كلمة السر", "סיסמה", "סיסמא"),
    *("पासवर्ड", "mật khẩu", "รหัสผ่าน", "kata sandi", "kata laluan", "密码", "密碼", "口令"),
    *("パスワード", "パスコード", "暗証番号", "비밀번호", "패스워드", "wpa key", "wpa2 key"),
    *("wpa-key", "wpa2-key", "wpa-psk", "wifi key", "wi-fi key", "network key", "requirepass"),
    *("wifi code", "wi-fi code", "wifi-key", "wlan key", "wlan-key", "wlan code", "wlan-code"),
    *("wlan-schlüssel", "wlan schlüssel", "wifi-schlüssel", "clave wifi", "clave del wifi"),
    *("clave de wifi", "clave wi-fi", "clave del wi-fi", "clé wifi", "clé wi-fi", "clé du wifi"),
)
AMBIGUOUS_PASSWORD_WORDS = (
    *("pwd", "pass", "psk", "pw", "mdp", "clave", "senha", "parola", "암호"),
)
"""They mean other things too: they count as words of their own, and with a mixed value, in settings
or where access is spoken of."""

CLEAR_PASSWORD_ABBREVIATIONS = frozenset({"pwd", "pw", "psk", "mdp"})
"""Those behind which a colon is enough."""

PIN_WORDS = (
    *("pin", "pin code", "pin-code", "pin number", "puk", "geheimzahl", "passcode"),
    *("cvv", "cvv2", "cvc", "cvc2"),
)

SECRET_WORDS = (
    *("api key", "api-key", "api_key", "apikey", "access key", "access-key", "access_key"),
    *("accesskey", "secret key", "secret-key", "secret_key", "secretkey", "secret_key_base"),
    *("secret", "token", "private key", "private_key", "privatekey", "signing key"),
    *("signing_key", "encryption key", "encryption_key", "encryptionkey", "license key"),
    *("licence key", "product key", "activation code", "activation key", "recovery code"),
    *("recovery key", "backup code", "auth key", "auth_key", "authkey", "account key"),
    *("master key", "master_key", "app key", "app_key", "jsessionid", "phpsessid"),
    *("api-schlüssel", "geheimer schlüssel", "clé api", "clé d'api", "clé secrète", "clave api"),
    *("clave de api", "chave de api", "chave secreta", "chiave api", "api-ключ", "ключ api"),
    *("токен", "секрет", "令牌", "密钥", "密鑰", "秘钥", "トークン", "apiキー", "シークレット"),
    *("토큰", "api 키", "시크릿"),
)

PLURAL_WORDS = (
    *("passwords", "passwörter", "mots de passe", "contraseñas", "пароли", "backup codes"),
    *("recovery codes", "api keys", "access keys", "tokens", "secrets"),
)

PHRASE_WORDS = (
    *("seed phrase", "recovery phrase", "mnemonic phrase", "mnemonic", "seed words"),
    *("recovery words", "recovery seed", "wallet seed", "wallet words", "seed-phrase"),
    *("wiederherstellungsphrase", "wiederherstellungswörter", "frase semilla", "frase de semillas"),
    *("frase de recuperación", "palabras de recuperación", "phrase de récupération", "助记词"),
)

SEED_WORDS = ("seed", "semilla")
"""They mean other things too: they count as words of their own, before words of one list."""
