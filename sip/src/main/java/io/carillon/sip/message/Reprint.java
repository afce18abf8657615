package io.carillon.sip.message;

import io.carillon.sip.bytes.ByteWriter;

/**
 * A message whose lines were printed anew from those of another one, as an edge does. Who prints
 * answers for its being well formed. Pure functions.
 */
public final class Reprint {
    private Reprint() {}

    /**
     * The request that was printed.
     *
     * @param source the one it was printed from, of the same method
     * @param uriEnd where its Request-URI ends
     * @param headersEnd offset of the empty line after the headers
     */
    public static SipRequest request(
            SipRequest source, ByteWriter printed, int uriEnd, int headersEnd) {
        return new SipRequest(
                printed.toByteArray(),
                printed.length(),
                headersEnd,
                null,
                source.method().length(),
                uriEnd);
    }

    /** The response that was printed, of the same status as its source. */
    public static SipResponse response(SipResponse source, ByteWriter printed, int headersEnd) {
        return new SipResponse(
                printed.toByteArray(), printed.length(), headersEnd, null, source.status());
    }
}
