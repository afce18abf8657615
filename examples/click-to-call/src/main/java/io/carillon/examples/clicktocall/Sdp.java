package io.carillon.examples.clicktocall;

import java.nio.charset.StandardCharsets;
import javax.servlet.sip.SipServletMessage;

/** Session descriptions (RFC 4566), as far as a controller between two phones touches them. */
final class Sdp {
    static final String TYPE = "application/sdp";

    private final String owner;
    private final String address;

    /**
     * @param session number of the session that phone A sees
     * @param host address of ours, for descriptions without media
     */
    Sdp(String session, String host) {
        String bare = host.replace("[", "").replace("]", "");
        this.address = (bare.indexOf(':') < 0 ? "IN IP4 " : "IN IP6 ") + bare;
        this.owner = "o=- " + (Long.parseUnsignedLong(session, 16) >>> 1) + " ";
    }

    /** RFC 3725 4.4: an offer without any media line. */
    String withoutMedia() {
        return "v=0\r\n" + owner + "1 " + address + "\r\ns=-\r\nc=" + address + "\r\nt=0 0\r\n";
    }

    /**
     * For phones that refuse an offer without media: one audio line that nobody sends or hears (RFC
     * 3264 8.4), which B's offer takes the place of.
     */
    String silence() {
        return withoutMedia()
                + "m=audio 9 RTP/AVP 0 8 101\r\n"
                + "a=rtpmap:101 telephone-event/8000\r\n"
                + "a=inactive\r\n";
    }

    /**
     * RFC 3264 8: phone A sees one session whose origin stays and whose version grows, whatever B
     * calls its own.
     */
    byte[] forA(byte[] description, int version) {
        String text = new String(description, StandardCharsets.ISO_8859_1);
        return text.replaceFirst("(?m)^o=.*$", owner + version + " " + address)
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    /** RFC 3264 6: an answer that takes none of the offered media. */
    static byte[] refusal(byte[] offer) {
        StringBuilder out = new StringBuilder();
        for (String line : new String(offer, StandardCharsets.ISO_8859_1).split("\r?\n")) {
            if (line.startsWith("m=")) {
                out.append(line.replaceFirst("^(m=\\S+) \\S+", "$1 0")).append("\r\n");
            } else if (line.matches("[vosct]=.*")) {
                out.append(line).append("\r\n");
            }
        }
        return out.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    static boolean in(SipServletMessage message) {
        String type = message.getContentType();
        return message.getContentLength() > 0
                && type != null
                && type.regionMatches(true, 0, TYPE, 0, TYPE.length());
    }
}
