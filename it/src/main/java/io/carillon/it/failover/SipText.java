package io.carillon.it.failover;

import java.util.ArrayList;
import java.util.List;

/**
 * A SIP message as text, read apart from Carillon's own parser. Knows what the run's messages have:
 * long header names, one value a line but for Via and Record-Route. Immutable.
 */
record SipText(String text) {
    boolean isRequest() {
        return !text.startsWith("SIP/2.0 ");
    }

    /** Of a request. */
    String method() {
        return text.substring(0, Math.max(0, text.indexOf(' ')));
    }

    /** Of a response. */
    int status() {
        return Integer.parseInt(text, 8, 11, 10);
    }

    /** The first line. */
    String firstLine() {
        int end = text.indexOf("\r\n");
        return end < 0 ? text : text.substring(0, end);
    }

    /** The first value of a header; empty where there is none. */
    String header(String name) {
        List<String> all = lines(name);
        return all.isEmpty() ? "" : all.getFirst();
    }

    /** Values of all lines of a header. */
    List<String> lines(String name) {
        List<String> found = new ArrayList<>();
        for (String line : text.split("\r\n", -1)) {
            if (line.isEmpty()) {
                break;
            }
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).strip().equalsIgnoreCase(name)) {
                found.add(line.substring(colon + 1).strip());
            }
        }
        return found;
    }

    String callId() {
        return header("Call-ID");
    }

    long cseq() {
        return Long.parseLong(header("CSeq").split(" ", 2)[0]);
    }

    String cseqMethod() {
        String[] words = header("CSeq").split(" ", -1);
        return words[words.length - 1];
    }

    /** Host and port of the topmost Via. */
    String sentBy() {
        String via = header("Via");
        int begin = via.indexOf(' ') + 1;
        int end = via.indexOf(';', begin);
        return via.substring(begin, end < 0 ? via.length() : end).strip();
    }

    /** The branch of the topmost Via. */
    String branch() {
        return parameter(header("Via"), "branch");
    }

    /** The tag of a From or To; empty where there is none. */
    String tag(String name) {
        String value = header(name);
        return parameter(value.substring(value.indexOf('>') + 1), "tag");
    }

    /** The user of the URI in From. */
    String fromUser() {
        String from = header("From");
        int begin = from.indexOf("sip:") + 4;
        int end = from.indexOf('@', begin);
        return end < 0 ? "" : from.substring(begin, end);
    }

    /** The URI of the Contact; empty where there is none. */
    String contact() {
        return uri(header("Contact"));
    }

    /** Values of Record-Route in the order of the message. */
    List<String> recordRoutes() {
        List<String> all = new ArrayList<>();
        for (String line : lines("Record-Route")) {
            for (String one : line.split(",(?=\\s*<)", -1)) {
                all.add(one.strip());
            }
        }
        return all;
    }

    /** Host and port of a SIP URI, of a Route with one, or of a Via. */
    static String hostPort(String value) {
        String text = uri(value);
        int scheme = text.indexOf("sip:");
        int user = text.indexOf('@');
        int begin = user >= 0 ? user + 1 : scheme < 0 ? 0 : scheme + 4;
        int end = begin;
        while (end < text.length() && ";?> ".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return text.substring(begin, end);
    }

    private static String uri(String value) {
        int begin = value.indexOf('<');
        int end = value.indexOf('>', begin);
        return begin < 0 || end < 0 ? value : value.substring(begin + 1, end);
    }

    private static String parameter(String value, String name) {
        for (String one : value.split("[;,]", -1)) {
            String part = one.strip();
            if (part.startsWith(name + "=")) {
                return part.substring(name.length() + 1);
            }
        }
        return "";
    }
}
