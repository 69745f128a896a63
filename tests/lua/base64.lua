-- Little-endian numbers from base64: a list of them, each of this format of string.unpack.
return function(text, format)
  local alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  local bytes, bits, count, out = {}, 0, 0, {}
  for c in text:gmatch "[%w+/]" do
    bits, count = (bits << 6 | alphabet:find(c, 1, true) - 1) & 0xffffff, count + 6
    if count >= 8 then
      count = count - 8
      bytes[#bytes + 1] = string.char(bits >> count & 255)
    end
  end
  local raw, size = table.concat(bytes), string.packsize(format)
  for at = 1, #raw - size + 1, size do out[#out + 1] = string.unpack(format, raw, at) end
  return out
end
