# Makes an archive from a JSON list of members on standard input, or prints one as such a list.
import base64, io, json, sys, tarfile, time, zipfile


def make_zip(path, members):
    with zipfile.ZipFile(path, "w") as archive:
        archive.comment = b"made by a test"
        for m in members:
            info = zipfile.ZipInfo(m["name"], time.gmtime(m["mtime"])[:6])
            info.create_system = 3
            kind = {"file": 0o100000, "directory": 0o040000, "link": 0o120000}[m["kind"]]
            info.external_attr = (kind | m["mode"]) << 16
            info.compress_type = zipfile.ZIP_STORED if m.get("stored") else zipfile.ZIP_DEFLATED
            data = m["target"].encode() if m["kind"] == "link" else base64.b64decode(m["data"])
            archive.writestr(info, data)


def make_tar(path, members, mode, format):
    with tarfile.open(path, mode, format=format) as archive:
        for m in members:
            info = tarfile.TarInfo(m["name"])
            info.mode, info.mtime = m["mode"], m["mtime"]
            info.uname, info.uid = "somebody", 1234
            data = base64.b64decode(m["data"])
            if m["kind"] == "link":
                info.type, info.linkname = tarfile.SYMTYPE, m["target"]
                archive.addfile(info)
            elif m["kind"] == "directory":
                info.type = tarfile.DIRTYPE
                archive.addfile(info)
            else:
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))


def read(path):
    found = []
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            assert archive.testzip() is None
            for info in archive.infolist():
                found.append({
                    "name": info.filename, "data": base64.b64encode(archive.read(info)).decode(),
                    "attr": info.external_attr, "date": list(info.date_time),
                    "method": info.compress_type, "extra": info.extra.hex(),
                    "flags": info.flag_bits, "comment": archive.comment.decode(),
                })
    else:
        with tarfile.open(path) as archive:
            for info in archive.getmembers():
                data = archive.extractfile(info).read() if info.isreg() else b""
                found.append({
                    "name": info.name, "data": base64.b64encode(data).decode(),
                    "mode": info.mode, "mtime": info.mtime, "type": info.type.decode(),
                    "target": info.linkname, "uname": info.uname, "uid": info.uid,
                })
    print(json.dumps(found))


if sys.argv[1] == "make":
    format, path = sys.argv[2:4]
    members = json.load(sys.stdin)
    if format == "zip":
        make_zip(path, members)
    else:
        kind = tarfile.GNU_FORMAT if format.endswith("gnu") else tarfile.PAX_FORMAT
        make_tar(path, members, "w:gz" if "gz" in format else "w", kind)
else:
    read(sys.argv[2])
