package io.carillon.net.resolve;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** A DNS in memory: records in the form of zone files, and names that behave badly. */
public final class MemoryZone implements DnsSource {
    private final Map<Name, List<Record>> records = new HashMap<>();
    private final Set<Name> silent = new HashSet<>();
    private final Map<Name, List<Record>> lies = new HashMap<>();
    private final List<CompletableFuture<Message>> held = new ArrayList<>();

    /** Questions that were asked, "example.com. NAPTR". */
    public final List<String> asked = new ArrayList<>();

    private boolean failing;

    /** Adds a record: {@code "_sip._udp.example.com", "SRV 10 1 5060 a.example.com."}. */
    public synchronized MemoryZone add(String name, String typeAndData) {
        add(records, name, typeAndData);
        return this;
    }

    /** Says this beside the answer to a question about the first name. */
    public synchronized MemoryZone lie(String about, String name, String typeAndData) {
        Map<Name, List<Record>> one = new HashMap<>();
        add(one, name, typeAndData);
        lies.computeIfAbsent(name(about), n -> new ArrayList<>())
                .addAll(one.values().iterator().next());
        return this;
    }

    private static void add(Map<Name, List<Record>> to, String name, String typeAndData) {
        int space = typeAndData.indexOf(' ');
        try {
            Record record =
                    Record.fromString(
                            name(name),
                            Type.value(typeAndData.substring(0, space)),
                            DClass.IN,
                            300,
                            typeAndData.substring(space + 1),
                            Name.root);
            to.computeIfAbsent(name(name), n -> new ArrayList<>()).add(record);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Questions about that name are never answered. */
    public synchronized MemoryZone silent(String name) {
        silent.add(name(name));
        return this;
    }

    /** From now on nothing is answered, or everything again. */
    public synchronized void failing(boolean on) {
        failing = on;
    }

    /** Forgets its records of a name. */
    public synchronized void remove(String name) {
        records.remove(name(name));
    }

    static Name name(String text) {
        try {
            return Name.fromString(text, Name.root);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Name parent(Name name) {
        return name.labels() < 2 ? name : new Name(name, 1);
    }

    /** How often a question was asked. */
    public synchronized int count(String question) {
        return (int) asked.stream().filter(question::equals).count();
    }

    @Override
    public synchronized CompletionStage<Message> ask(Message question) {
        CompletableFuture<Message> answer = new CompletableFuture<>();
        Record wanted = question.getQuestion();
        asked.add(wanted.getName() + " " + Type.string(wanted.getType()));
        if (silent.contains(wanted.getName())) {
            held.add(answer);
        } else if (failing) {
            answer.completeExceptionally(new IOException("no server answers"));
        } else {
            answer.complete(answer(question));
        }
        return answer;
    }

    /** The answer to a question; null when there is to be none. */
    public synchronized Message answer(Message question) {
        Record wanted = question.getQuestion();
        if (silent.contains(wanted.getName())) {
            return null;
        }
        Message answer = new Message(question.getHeader().getID());
        answer.getHeader().setFlag(Flags.QR);
        answer.addRecord(wanted, Section.QUESTION);
        List<Record> all = records.get(wanted.getName());
        if (all == null) {
            answer.getHeader().setRcode(Rcode.NXDOMAIN);
            for (Record soa : records.getOrDefault(parent(wanted.getName()), List.of())) {
                if (soa.getType() == Type.SOA) {
                    answer.addRecord(soa, Section.AUTHORITY);
                }
            }
        } else {
            for (Record record : all) {
                if (record.getType() == wanted.getType() || record.getType() == Type.CNAME) {
                    answer.addRecord(record, Section.ANSWER);
                }
            }
        }
        for (Record lie : lies.getOrDefault(wanted.getName(), List.of())) {
            answer.addRecord(lie, Section.ANSWER);
            answer.addRecord(lie, Section.ADDITIONAL);
        }
        return answer;
    }
}
