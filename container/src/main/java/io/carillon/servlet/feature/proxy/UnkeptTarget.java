package io.carillon.servlet.feature.proxy;

import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;

/**
 * What stays of a remote target for which there was no room: enough to tell whether a request goes
 * there. Nobody finds another URI of the same marks. Immutable.
 *
 * @param user of user, host and port
 * @param place of host and port
 */
record UnkeptTarget(long user, long place) {
    static UnkeptTarget of(Uri target) {
        return new UnkeptTarget(hash(user(target)), hash(place(target)));
    }

    boolean is(Uri uri) {
        return hash(user(uri)) == user;
    }

    boolean isPlaceOf(Uri uri) {
        return hash(place(uri)) == place;
    }

    private static String user(Uri uri) {
        return uri instanceof SipUri sip ? sip.user() + '\0' + place(uri) : uri.toString();
    }

    private static String place(Uri uri) {
        return uri instanceof SipUri sip
                ? NextHop.host(sip).toLowerCase(Locale.ROOT) + '\0' + NextHop.port(sip)
                : uri.toString();
    }

    private static long hash(String text) {
        try {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes)).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }
}
