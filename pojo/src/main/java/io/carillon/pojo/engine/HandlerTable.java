package io.carillon.pojo.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.jspecify.annotations.Nullable;

/** The message handlers of one application by SIP method, most specific first. Immutable. */
final class HandlerTable {
    private record Entry(Handler handler, Criteria criteria) {}

    private static final Comparator<Entry> MOST_SPECIFIC_FIRST =
            (a, b) -> a.criteria.compareSpecificity(b.criteria);

    private final Map<String, Entry[]> requests = new HashMap<>();
    private final Map<String, Entry[]> responses = new HashMap<>();
    private final Entry[] anyRequests;
    private final Entry[] anyResponses;
    private final Set<String> named = new TreeSet<>();

    /**
     * @throws HandlerException when two of them match equally well
     */
    HandlerTable(List<Handler> handlers) throws HandlerException {
        List<Entry> ofRequests = new ArrayList<>();
        List<Entry> ofResponses = new ArrayList<>();
        for (Handler handler : handlers) {
            Criteria criteria = handler.criteria();
            if (criteria != null) {
                (criteria.ofResponses() ? ofResponses : ofRequests)
                        .add(new Entry(handler, criteria));
            }
        }
        refuseDoubt(ofRequests);
        refuseDoubt(ofResponses);
        anyRequests = index(ofRequests, requests);
        anyResponses = index(ofResponses, responses);
        for (Entry entry : ofRequests) {
            named.addAll(entry.criteria.methods());
        }
    }

    private static void refuseDoubt(List<Entry> entries) throws HandlerException {
        for (int i = 0; i < entries.size(); i++) {
            Entry one = entries.get(i);
            for (int j = i + 1; j < entries.size(); j++) {
                Entry other = entries.get(j);
                if (one.criteria.compareSpecificity(other.criteria) == 0
                        && one.criteria.overlaps(other.criteria)) {
                    throw new HandlerException(
                            one.handler.label()
                                    + " and "
                                    + other.handler.label()
                                    + " match the same messages equally well: one of them has to"
                                    + " be more specific");
                }
            }
        }
    }

    private static Entry[] index(List<Entry> entries, Map<String, Entry[]> byMethod) {
        entries.sort(MOST_SPECIFIC_FIRST);
        Set<String> methods = new TreeSet<>();
        entries.forEach(entry -> methods.addAll(entry.criteria.methods()));
        for (String method : methods) {
            byMethod.put(
                    method,
                    entries.stream()
                            .filter(entry -> entry.criteria.takesMethod(method))
                            .toArray(Entry[]::new));
        }
        return entries.stream()
                .filter(entry -> entry.criteria.methods().isEmpty())
                .toArray(Entry[]::new);
    }

    @Nullable Handler find(SipServletRequest request) {
        Entry[] candidates = requests.get(request.getMethod());
        for (Entry entry : candidates == null ? anyRequests : candidates) {
            if (entry.criteria.matches(request)) {
                return entry.handler;
            }
        }
        return null;
    }

    @Nullable Handler find(SipServletResponse response) {
        Entry[] candidates = responses.get(response.getMethod());
        for (Entry entry : candidates == null ? anyResponses : candidates) {
            if (entry.criteria.matches(response)) {
                return entry.handler;
            }
        }
        return null;
    }

    /** Is there a handler for requests of this method, be their other conditions what they are? */
    boolean handles(String method) {
        return anyRequests.length > 0 || requests.containsKey(method);
    }

    /** The methods that request handlers name, sorted. */
    Set<String> methods() {
        return named;
    }

    boolean handlesResponses() {
        return anyResponses.length > 0 || !responses.isEmpty();
    }
}
