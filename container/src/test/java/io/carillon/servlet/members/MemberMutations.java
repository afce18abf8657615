package io.carillon.servlet.members;

import io.carillon.servlet.members.SingleTests.Outcome;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Changes one member after the other and runs every test that says that it proves the member. Each
 * change has to make one of them fail, each of them has to fail for one change, and the test that
 * is about the member has to fail for a change of a body that does something. Runs in a JVM of its
 * own with {@link MutationAgent}; prints a line for each member that is not as it should be, then
 * the sums, and ends with 1 when there is such a line.
 */
public final class MemberMutations {
    private final SingleTests tests = new SingleTests();
    private final Map<Method, Outcome> unchanged = new HashMap<>();
    private final List<String> faults = new ArrayList<>();
    private final Map<Change, Integer> mutants = new EnumMap<>(Change.class);
    private final Map<Outcome, Integer> failures = new EnumMap<>(Outcome.class);
    private final List<String> idle = new ArrayList<>();
    private int members;
    private int proofs;
    private int killed;
    private int survivors;

    private MemberMutations() {}

    /** With an argument, only members whose name contains it. */
    public static void main(String[] arguments) throws Exception {
        String part = arguments.length > 0 ? arguments[0] : "";
        Map<String, Member> all = Member.all();
        MemberMutations mutations = new MemberMutations();
        long from = System.nanoTime();
        for (Map.Entry<String, Proofs> proof : Proofs.byMember().entrySet()) {
            Member member = all.get(proof.getKey());
            if (member != null && proof.getKey().contains(part)) {
                mutations.judge(member, proof.getValue());
            }
        }
        mutations.print((System.nanoTime() - from) / 1_000_000_000);
        System.exit(mutations.faults.isEmpty() ? 0 : 1);
    }

    private void judge(Member member, Proofs proof) throws Exception {
        members++;
        proofs += proof.all().size();
        for (Method test : proof.all()) {
            if (passes(test) != Outcome.PASSED) {
                faults.add("fails unchanged: " + Proofs.test(test));
                return;
            }
        }
        List<Mutant> all = Mutant.of(member);
        if (all.isEmpty()) {
            faults.add("no body and no call in the container: " + member.name());
        }
        boolean onlyIdle = all.stream().noneMatch(MemberMutations::real);
        Set<Method> useful = new HashSet<>();
        boolean about = false;
        for (Mutant mutant : all) {
            Set<Method> killers = killers(mutant, proof.all());
            useful.addAll(killers);
            about |= (onlyIdle || real(mutant)) && killers.contains(proof.about().getFirst());
            mutants.merge(mutant.change(), 1, Integer::sum);
            if (mutant.change() == Change.THROWS) {
                idle.add(member.name());
            }
            if (killers.isEmpty()) {
                survivors++;
                faults.add("survives: " + member.name() + ", " + mutant);
            } else {
                killed++;
            }
        }
        if (!about) {
            faults.add(
                    "is not about it: "
                            + Proofs.test(proof.about().getFirst())
                            + " of "
                            + member.name());
        }
        for (Method test : proof.all()) {
            if (!useful.contains(test)) {
                faults.add("proves nothing: " + Proofs.test(test) + " of " + member.name());
            }
        }
    }

    /** A change of something that was done, not of a body that only returns null. */
    private static boolean real(Mutant mutant) {
        return mutant.change() != Change.ANOTHER_VALUE && mutant.change() != Change.THROWS;
    }

    private Outcome passes(Method test) throws Exception {
        Outcome known = unchanged.get(test);
        if (known == null) {
            known = tests.run(test);
            unchanged.put(test, known);
        }
        return known;
    }

    private Set<Method> killers(Mutant mutant, List<Method> proof) throws Exception {
        Set<Method> killers = new HashSet<>();
        try (AutoCloseable _ = mutant.apply()) {
            for (Method test : proof) {
                Outcome outcome = tests.run(test);
                if (outcome != Outcome.PASSED) {
                    killers.add(test);
                    failures.merge(outcome, 1, Integer::sum);
                }
            }
        }
        return killers;
    }

    private void print(long seconds) throws Exception {
        System.out.println("reached, for there is nothing to change: " + idle);
        faults.forEach(System.out::println);
        System.out.println(
                members
                        + " members, "
                        + proofs
                        + " proofs, "
                        + (killed + survivors)
                        + " mutants "
                        + mutants
                        + ", "
                        + killed
                        + " killed, "
                        + survivors
                        + " survivors, "
                        + faults.size()
                        + " faults, "
                        + Proofs.pending().size()
                        + " members pending, "
                        + seconds
                        + " s; tests failed by "
                        + failures);
    }
}
