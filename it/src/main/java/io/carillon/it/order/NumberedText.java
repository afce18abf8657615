package io.carillon.it.order;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * Numbered messages as bytes: a request with a hole for its number, and what a message says of call
 * and number. Owner: one thread for each object.
 */
final class NumberedText {
    private static final int DIGITS = 9;
    private static final String HOLE = "0".repeat(DIGITS);
    private static final byte[] CALL = "\r\nCall-ID: order-".getBytes(ISO_8859_1);
    private static final byte[] CSEQ = "\r\nCSeq: ".getBytes(ISO_8859_1);
    private static final byte[] STATUS = "SIP/2.0 ".getBytes(ISO_8859_1);
    private static final byte[] OK = "SIP/2.0 200 OK".getBytes(ISO_8859_1);

    private final byte[] bytes;
    private final int branchAt;
    private final int cseqAt;

    /**
     * A request within a dialog.
     *
     * @param via its first part: transport and sent-by
     * @param toTag of who gets it
     * @param fromTag of who sends it
     */
    NumberedText(OrderedCall call, String via, String fromTag, String toTag) {
        String text =
                String.join(
                        "\r\n",
                        "INFO sip:order@127.0.0.1 SIP/2.0",
                        "Via: SIP/2.0/" + via + ";branch=z9hG4bK" + fromTag + "n" + HOLE + ";rport",
                        "Max-Forwards: 70",
                        "From: <sip:from@127.0.0.1>;tag=" + fromTag,
                        "To: <sip:to@127.0.0.1>;tag=" + toTag,
                        "Call-ID: " + call.id(),
                        "CSeq: " + HOLE + " INFO",
                        "Content-Length: 0",
                        "",
                        "");
        bytes = text.getBytes(ISO_8859_1);
        branchAt = text.indexOf("n" + HOLE) + 1;
        cseqAt = text.indexOf("CSeq: ") + "CSeq: ".length();
    }

    /** The request of that number; good until the next call. */
    byte[] numbered(int number) {
        int left = number;
        for (int i = DIGITS - 1; i >= 0; i--) {
            byte digit = (byte) ('0' + left % 10);
            bytes[branchAt + i] = digit;
            bytes[cseqAt + i] = digit;
            left /= 10;
        }
        return bytes;
    }

    /** A 200 to a request. */
    static byte[] ok(byte[] request, int length) {
        int line = 0;
        while (line < length && request[line] != '\r') {
            line++;
        }
        byte[] answer = new byte[OK.length + length - line];
        System.arraycopy(OK, 0, answer, 0, OK.length);
        System.arraycopy(request, line, answer, OK.length, length - line);
        return answer;
    }

    static boolean isResponse(byte[] message, int length) {
        return length >= STATUS.length && isAt(message, 0, STATUS);
    }

    /** Of which call it is; -1 for none of ours. */
    static int call(byte[] message, int length) {
        return after(message, length, CALL);
    }

    /** Which one of its call it is; -1 where it does not say. */
    static int number(byte[] message, int length) {
        return after(message, length, CSEQ);
    }

    private static int after(byte[] message, int length, byte[] name) {
        for (int i = 0; i <= length - name.length; i++) {
            if (message[i] == name[0] && isAt(message, i, name)) {
                return digits(message, i + name.length, length);
            }
        }
        return -1;
    }

    private static boolean isAt(byte[] message, int at, byte[] what) {
        for (int i = 0; i < what.length; i++) {
            if (message[at + i] != what[i]) {
                return false;
            }
        }
        return true;
    }

    private static int digits(byte[] message, int from, int length) {
        int value = 0;
        int at = from;
        while (at < length && at - from < DIGITS && message[at] >= '0' && message[at] <= '9') {
            value = value * 10 + message[at++] - '0';
        }
        return at == from ? -1 : value;
    }
}
