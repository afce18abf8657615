package io.carillon.servlet.check;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.ExceptionsAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.util.HashSet;
import java.util.Set;

/**
 * The entries of a constant pool that the class needs when it is linked or runs: tools leave others
 * behind, which are never resolved (Java Virtual Machine Specification 5.4.3). One thread.
 */
final class UsedEntries {
    private final Set<Integer> indices = new HashSet<>();

    private UsedEntries() {}

    static UsedEntries of(ClassModel model) {
        UsedEntries used = new UsedEntries();
        model.superclass().ifPresent(used::add);
        model.interfaces().forEach(used::add);
        for (PoolEntry entry : model.constantPool()) {
            if (entry instanceof MethodHandleEntry handle) { // of lambdas and method references
                used.add(handle.reference());
            }
        }
        for (MethodModel method : model.methods()) {
            method.findAttribute(Attributes.exceptions())
                    .map(ExceptionsAttribute::exceptions)
                    .ifPresent(thrown -> thrown.forEach(used::add));
            method.code().ifPresent(used::code);
        }
        return used;
    }

    boolean uses(PoolEntry entry) {
        return indices.contains(entry.index());
    }

    private void add(PoolEntry entry) {
        indices.add(entry.index());
        if (entry instanceof MemberRefEntry member) {
            indices.add(member.owner().index());
        }
    }

    private void code(CodeModel code) {
        for (CodeElement element : code) {
            switch (element) {
                case InvokeInstruction call -> add(call.method());
                case FieldInstruction field -> add(field.field());
                case NewObjectInstruction made -> add(made.className());
                case NewReferenceArrayInstruction array -> add(array.componentType());
                case NewMultiArrayInstruction array -> add(array.arrayType());
                case TypeCheckInstruction check -> add(check.type());
                case ExceptionCatch caught -> caught.catchType().ifPresent(this::add);
                case ConstantInstruction.LoadConstantInstruction constant -> loaded(constant);
                default -> {}
            }
        }
    }

    private void loaded(ConstantInstruction.LoadConstantInstruction constant) {
        if (constant.constantEntry() instanceof ClassEntry type) {
            add(type);
        }
    }
}
