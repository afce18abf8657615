package io.carillon.fuzz.message;

import io.carillon.servlet.feature.identity.Credential;
import io.carillon.servlet.feature.identity.CredentialFailure;
import io.carillon.servlet.feature.identity.Es256Verifier;
import io.carillon.servlet.feature.identity.IdentityHeader;
import io.carillon.servlet.feature.identity.Json;
import io.carillon.servlet.feature.identity.Passport;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.message.SipRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Identity, its PASSporT and the JSON in it: refused, or the same when written and read once more;
 * nobody is believed without a certificate. The first byte says of what.
 */
public final class IdentityTarget {
    private static final long NOW = 1_700_000_000_000L;
    private static final String HEAD =
            """
            INVITE sip:12155551213@example.com SIP/2.0
            Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK1
            From: <sip:12155551212@example.com;user=phone>;tag=a
            To: <sip:12155551213@example.com;user=phone>
            Call-ID: 1
            CSeq: 1 INVITE
            Max-Forwards: 70
            Date: Tue, 14 Nov 2023 22:13:20 GMT
            Content-Length: 0
            Identity:\
            """
                            .replace("\n", "\r\n")
                    + ' ';
    private static final MessageParser PARSER =
            new MessageParser(Compliance.LENIENT, MessageLimits.DEFAULT);
    private static final Es256Verifier VERIFIER =
            new Es256Verifier(info -> none(), 60, 1_000, AddressRanges.of(List.of()));

    private IdentityTarget() {}

    private static CompletionStage<Credential> none() {
        return CompletableFuture.failedFuture(new CredentialFailure(436, "there is none"));
    }

    /** One input. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length == 0) {
            return;
        }
        String text = new String(data, 1, data.length - 1, StandardCharsets.UTF_8);
        switch (data[0] & 3) {
            case 0 -> header(text);
            case 1 -> json(text);
            default -> verify(text);
        }
    }

    private static void header(String text) {
        IdentityHeader header;
        try {
            header = IdentityHeader.parse(text);
        } catch (IllegalArgumentException refused) {
            return;
        }
        String[] parts = header.token().split("\\.", -1);
        if (parts.length < 2) {
            return;
        }
        try {
            Passport passport = Passport.read(parts[0], parts[1], header);
            passport.issuedAtSeconds();
            passport.text("origid");
            passport.signingInput();
        } catch (IllegalArgumentException refused) {
            // As it should be.
        }
    }

    private static void json(String text) {
        Map<String, Object> object;
        try {
            object = Json.object(text);
        } catch (IllegalArgumentException refused) {
            return;
        }
        if (!object.equals(Json.object(Json.write(object)))) {
            throw new IllegalStateException("another object when read once more: " + object);
        }
    }

    private static void verify(String value) {
        byte[] bytes = (HEAD + value + "\r\n\r\n").getBytes(StandardCharsets.UTF_8);
        if (PARSER.parseDatagram(bytes, bytes.length)
                        instanceof ParseResult.Parsed(SipRequest request)
                && VERIFIER.verify(request, NOW).toCompletableFuture().join().valid()) {
            throw new IllegalStateException("believed without a certificate: " + value);
        }
    }
}
