package io.carillon.net.resolve;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * Takes out of a DNS message what answers the question and nothing else: a server that is wrong, or
 * somebody who speaks for it, may add records of any name. Only the answer section counts, there
 * only the name that was asked for and what its aliases lead to. The additional section is not
 * read: addresses are asked for by themselves. Stateless; any thread.
 */
public final class AnswerReader {
    private static final int MAX_ALIASES = 8;

    /**
     * What a message says.
     *
     * @param answer null when it ends at an alias whose own records have to be asked for
     * @param seconds how long it may be kept
     * @param alias the name to ask for next
     */
    public record Read(@Nullable DnsAnswer answer, long seconds, @Nullable Name alias) {}

    private AnswerReader() {}

    /** What the message says of the name and type that were asked for. */
    public static Read read(Message message, Name asked, int type) {
        Record question = message.getQuestion();
        if (question == null
                || !question.getName().equals(asked)
                || question.getType() != type
                || question.getDClass() != DClass.IN) {
            return new Read(DnsAnswer.failed(), 0, null);
        }
        int code = message.getRcode();
        if (code != Rcode.NOERROR && code != Rcode.NXDOMAIN) {
            return new Read(DnsAnswer.failed(), 0, null);
        }
        List<Record> answers = message.getSection(Section.ANSWER);
        Name name = asked;
        long seconds = Long.MAX_VALUE;
        Set<Name> seen = new HashSet<>();
        while (seen.add(name) && seen.size() <= MAX_ALIASES) {
            List<Record> found = new ArrayList<>();
            CNAMERecord alias = null;
            for (Record record : answers) {
                if (record.getDClass() != DClass.IN || !record.getName().equals(name)) {
                    continue;
                }
                if (record.getType() == type) {
                    found.add(record);
                    seconds = Math.min(seconds, record.getTTL());
                } else if (record instanceof CNAMERecord cname) {
                    alias = cname;
                }
            }
            if (!found.isEmpty()) {
                return new Read(new DnsAnswer.Found(List.copyOf(found)), seconds, null);
            }
            if (alias == null) {
                return nothing(message, name, asked, seconds);
            }
            seconds = Math.min(seconds, alias.getTTL());
            name = alias.getTarget();
        }
        // A loop, or a chain that nobody needs.
        return new Read(DnsAnswer.missing(), minimum(message, 0), null);
    }

    private static Read nothing(Message message, Name name, Name asked, long seconds) {
        if (name.equals(asked) || message.getRcode() == Rcode.NXDOMAIN || hasSoa(message)) {
            return new Read(DnsAnswer.missing(), Math.min(seconds, minimum(message, 0)), null);
        }
        return new Read(null, seconds, name);
    }

    private static boolean hasSoa(Message message) {
        return message.getSection(Section.AUTHORITY).stream()
                .anyMatch(record -> record.getType() == Type.SOA);
    }

    /** RFC 2308 5: "the minimum of the SOA record's TTL and its MINIMUM field". */
    private static long minimum(Message message, long otherwise) {
        for (Record record : message.getSection(Section.AUTHORITY)) {
            if (record instanceof SOARecord soa) {
                return Math.min(soa.getTTL(), soa.getMinimum());
            }
        }
        return otherwise;
    }
}
