package io.carillon.servlet.members;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Empties the body of one member after the other and requires that the test which says that it
 * proves the member fails. Runs in a JVM of its own with {@link MutationAgent}; prints a line for
 * each member that is not as it should be and ends with 1 when there is one.
 */
public final class MemberMutations {
    private MemberMutations() {}

    /** With an argument, only members whose name contains it. */
    public static void main(String[] arguments) throws Exception {
        String part = arguments.length > 0 ? arguments[0] : "";
        Map<String, Member> members = Member.all();
        SingleTests tests = new SingleTests();
        List<String> faults = new ArrayList<>();
        int killed = 0;
        for (Map.Entry<String, List<Method>> proof : Proofs.byMember().entrySet()) {
            Member member = members.get(proof.getKey());
            if (member != null && proof.getKey().contains(part)) {
                String fault = fault(member, proof.getValue(), tests);
                if (fault.isEmpty()) {
                    killed++;
                } else {
                    faults.add(fault + ": " + member.name() + " by " + first(proof.getValue()));
                }
            }
        }
        faults.forEach(System.out::println);
        System.out.println(
                killed
                        + " members: the test fails without their body; "
                        + faults.size()
                        + " faults; "
                        + Proofs.pending().size()
                        + " members pending");
        System.exit(faults.isEmpty() ? 0 : 1);
    }

    /** The first test of the list is the one that the table names. */
    private static String fault(Member member, List<Method> proofs, SingleTests tests)
            throws Exception {
        List<Method> named = List.of(proofs.getFirst());
        if (!tests.pass(named)) {
            return "fails unchanged";
        }
        try (Mutant mutant = Mutant.of(member)) {
            if (mutant == null) {
                return "no body and no call in the container";
            }
            return tests.pass(named) ? "survives" : "";
        }
    }

    private static String first(List<Method> proofs) {
        return Proofs.test(proofs.getFirst());
    }
}
