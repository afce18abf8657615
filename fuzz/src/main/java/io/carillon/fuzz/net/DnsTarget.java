package io.carillon.fuzz.net;

import io.carillon.net.address.HostLiteral;
import io.carillon.net.resolve.AnswerReader;
import io.carillon.net.resolve.DnsAnswer;
import io.carillon.net.resolve.SrvName;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.xbill.DNS.Message;
import org.xbill.DNS.NAPTRRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/**
 * What a DNS server says: nothing but records of the type that was asked for, or an alias, or
 * nothing; and a host in digits is an address or none. The first byte says which. In the package of
 * what it tries.
 */
public final class DnsTarget {
    private static final int[] TYPES = {Type.A, Type.AAAA, Type.SRV, Type.NAPTR};
    private static final int MOST = 20;
    private static final Name ASKED = name();

    private DnsTarget() {}

    private static Name name() {
        try {
            return Name.fromString("example.com.");
        } catch (TextParseException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One input. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length == 0) {
            return;
        }
        int kind = (data[0] & 0xff) % (TYPES.length + 1);
        byte[] rest = Arrays.copyOfRange(data, 1, data.length);
        if (kind == TYPES.length) {
            literal(new String(rest, StandardCharsets.ISO_8859_1));
        } else {
            answer(rest, TYPES[kind]);
        }
    }

    private static void literal(String host) {
        var address = HostLiteral.parse(host);
        if (address != null && !address.equals(HostLiteral.parse(HostLiteral.print(address)))) {
            throw new IllegalStateException("an address that is not the same printed: " + address);
        }
        HostLiteral.numbers(host);
        if (!host.isEmpty()) {
            HostLiteral.endsInNumber(host);
        }
    }

    private static void answer(byte[] wire, int type) {
        AnswerReader.Read read;
        try {
            read = AnswerReader.read(new Message(wire), ASKED, type);
        } catch (IOException refused) {
            return;
        }
        if (read.seconds() < 0) {
            throw new IllegalStateException("kept for " + read.seconds() + " s");
        }
        if ((read.answer() == null) == (read.alias() == null)) {
            throw new IllegalStateException("neither answer nor alias, or both");
        }
        if (read.answer() instanceof DnsAnswer.Found(List<Record> records)) {
            used(records, type);
        }
    }

    private static void used(List<Record> records, int type) {
        if (records.isEmpty()) {
            throw new IllegalStateException("found nothing");
        }
        for (Record record : records) {
            if (record.getType() != type) {
                throw new IllegalStateException("not asked for: " + record);
            }
            if (record instanceof SRVRecord srv) {
                srv.getTarget().toString(true);
            }
        }
        if (records.getFirst() instanceof NAPTRRecord) {
            SrvName.of(records, false, MOST, transport -> true);
            SrvName.of(records, true, MOST, Transport::secure);
        }
    }
}
