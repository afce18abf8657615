package io.carillon.sip.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Messages for tests: files of the test resources, and parsing that must succeed. */
public final class TestMessages {
    public static final String INVITE =
            """
            INVITE sip:bob@biloxi.example.com SIP/2.0
            Via: SIP/2.0/UDP client.atlanta.example.com:5060;rport;branch=z9hG4bK74bf9
            Max-Forwards: 70
            From: Alice <sip:alice@atlanta.example.com>;tag=9fxced76sl
            To: Bob <sip:bob@biloxi.example.com>
            Call-ID: 3848276298220188511@atlanta.example.com
            CSeq: 1 INVITE
            Contact: <sip:alice@client.atlanta.example.com;transport=udp>
            Content-Type: application/sdp
            Content-Length: 4

            v=0
            """;

    private TestMessages() {}

    /** Text with CRLF line ends, in bytes. The last line break of a text block counts as body. */
    public static byte[] bytes(String text) {
        return text.replace("\r\n", "\n").replace("\n", "\r\n").getBytes(UTF_8);
    }

    public static ParseResult datagram(byte[] b) {
        return new MessageParser(Compliance.DEFAULT, MessageLimits.DEFAULT)
                .parseDatagram(b.clone(), b.length);
    }

    public static ParseResult datagram(String text) {
        return datagram(bytes(text));
    }

    public static SipMessage parse(byte[] b) {
        ParseResult result = datagram(b);
        if (result instanceof ParseResult.Parsed(SipMessage message)) {
            return message;
        }
        throw new AssertionError(result + "\n" + new String(b, UTF_8));
    }

    public static SipRequest request(String text) {
        return (SipRequest) parse(bytes(text));
    }

    public static SipResponse response(String text) {
        return (SipResponse) parse(bytes(text));
    }

    public static SipRequest invite() {
        return request(INVITE);
    }

    /** A folder of the test resources. */
    public static Path folder(String name) {
        URL url = Objects.requireNonNull(TestMessages.class.getResource("/" + name), name);
        try {
            return Path.of(url.toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    public static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static List<Path> list(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Rows of a TSV file with a heading line, by column name. */
    public static List<Map<String, String>> table(Path file) {
        String[] lines = new String(read(file), UTF_8).split("\r?\n", -1);
        String[] names = lines[0].split("\t", -1);
        List<Map<String, String>> rows = new ArrayList<>();
        for (int i = 1; i < lines.length; i++) {
            if (lines[i].isEmpty()) {
                continue;
            }
            String[] cells = lines[i].split("\t", -1);
            Map<String, String> row = new HashMap<>();
            for (int c = 0; c < names.length; c++) {
                row.put(names[c], c < cells.length ? cells[c] : "");
            }
            rows.add(row);
        }
        return rows;
    }
}
