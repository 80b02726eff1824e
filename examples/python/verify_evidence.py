"""Verifies an evidence package: verify_evidence.py PACKAGE PUBLIC_KEY... (base64). Needs cryptography from PyPI."""
import base64, hashlib, json, sys, zipfile
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

def check(condition, sentence):
    if not condition: sys.exit(f"NOT VERIFIED: {sentence}")

def verify(key_id, signature, signed):
    check(key_id in keys, f"key {key_id} is not trusted")
    keys[key_id].verify(signature, signed)

class Number(str): "Keeps the digits of a number."

def canonical(value):
    if isinstance(value, Number): return str(value)
    if isinstance(value, list): return "[" + ",".join(map(canonical, value)) + "]"
    if not isinstance(value, dict): return json.dumps(value, ensure_ascii=False)
    names = sorted(value, key=lambda name: name.encode("utf-16-be"))
    return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"

package, keys = zipfile.ZipFile(sys.argv[1]), {}
for raw in map(base64.b64decode, sys.argv[2:]):
    keys[hashlib.sha256(raw).hexdigest()[:32]] = Ed25519PublicKey.from_public_bytes(raw)
# 1. The manifest is signed, and it has the SHA-256 of every other member.
text = package.read("manifest.json")
manifest = json.loads(text)
verify(manifest["key_id"], package.read("manifest.sig"), text)
names = [member["name"] for member in manifest["members"]] + ["manifest.json", "manifest.sig"]
check(sorted(names) == sorted(package.namelist()), "the members are not those of the manifest")
for member in manifest["members"]:
    digest = hashlib.sha256()
    for part in package.open(member["name"]): digest.update(part)
    check(digest.hexdigest() == member["sha256"], f"{member['name']} was changed")
# 2. The checkpoints are signed. They sign hashes of positions, and ranges that retention dropped.
signed, dropped = {0: ""}, []
for entry in map(json.loads, package.open("checkpoints.ndjson")):
    verify(entry["key_id"], base64.b64decode(entry["signature"]), entry["payload"].encode())
    checkpoint = json.loads(entry["payload"])
    check(checkpoint["tenant_id"] == manifest["tenant_id"], "a checkpoint is of another tenant")
    signed[checkpoint["sequence"]] = checkpoint["hash"]
    dropped += checkpoint.get("dropped", [])
# 3. Each record has its hash, follows the previous one, and none between the first and the last is missing.
last, count, total = None, 0, hashlib.sha256()
for line in package.open("audit.ndjson"):
    row = json.loads(line, parse_int=Number, parse_float=Number)
    if row.get("type") == "end": break
    sealed = {name: row[name] for name in row if name not in ("timestamp", "previous_hash", "hash")}
    found = hashlib.sha256(bytes.fromhex(row["previous_hash"]) + canonical(sealed).encode()).hexdigest()
    number, before = int(row["sequence"]), int(last["sequence"] if last else row["sequence"]) + 1
    check(found == row["hash"] == signed.get(number, found), f"record {number} was changed")
    check(row["tenant_id"] == manifest["tenant_id"], f"record {number} is of another tenant")
    check(not last or number > before or row["previous_hash"] == last["hash"], f"record {number} does not follow")
    for gap in range(before, number):
        check(any(part["from"] <= gap <= part["to"] for part in dropped), f"record {gap} is missing")
    last, count = row, count + 1
    total.update(line)
verify(row["key_id"], base64.b64decode(row["signature"]), row["payload"].encode())
check(json.loads(row["payload"])["sha256"] == total.hexdigest(), "the export was changed")
check(count == manifest["records"] and max(signed) >= (manifest["last"] or 0), "records or checkpoints are missing")
print(f"Verified: {count} records of {manifest['tenant']}, {manifest['first']} to {manifest['last']}.")
