package io.carillon.examples.restcall;

/** Session descriptions (RFC 4566) of an end that has no media. */
final class Descriptions {
    private Descriptions() {}

    /** One audio stream that neither sends nor receives. */
    static String ofNoMedia(String address) {
        String family = address.indexOf(':') >= 0 ? "IP6" : "IP4";
        return String.join(
                "\r\n",
                "v=0",
                "o=- 1 1 IN " + family + ' ' + address,
                "s=-",
                "c=IN " + family + ' ' + address,
                "t=0 0",
                "m=audio 9 RTP/AVP 0",
                "a=inactive",
                "");
    }
}
